import type { z } from "zod";
import { TraceFormatError } from "./trace-request.ts";

/** One line of a JSON lines file, checked. @throws TraceFormatError that names line and field */
export function parseJsonLine<S extends z.ZodType>(
  schema: S,
  text: string,
  file: string,
  line: number,
): z.output<S> {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    throw new TraceFormatError(file, line, "not a JSON object");
  }
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new TraceFormatError(file, line, `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "invalid"}`);
}
