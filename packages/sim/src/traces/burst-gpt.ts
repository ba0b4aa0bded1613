import { traceLines } from "./trace-lines.ts";
import { TraceFormatError, type TraceRequest } from "./trace-request.ts";

/**
 * Reads a BurstGPT trace: CSV with a header that names at least `Timestamp` (seconds), `Request tokens` and
 * `Response tokens`; `Session ID` where there is one. Failed requests (no response tokens) are left out. It says
 * nothing about content: no prefix is ever shared.
 * @throws TraceFormatError that names line and column
 */
export async function readBurstGptTrace(file: string): Promise<TraceRequest[]> {
  let columns: BurstGptColumns | null = null;
  const requests: TraceRequest[] = [];
  for await (const { number, text } of traceLines(file)) {
    if (columns === null) {
      columns = burstGptColumns(text, file, number);
      continue;
    }
    const request = parseBurstGptLine(text, columns, file, number);
    if (request !== null) requests.push(request);
  }
  return requests.sort((a, b) => a.atMs - b.atMs);
}

interface BurstGptColumns {
  readonly timestamp: number;
  readonly requestTokens: number;
  readonly responseTokens: number;
  readonly session: number;
}

/** Where the columns are. @throws TraceFormatError when one is missing */
export function burstGptColumns(header: string, file: string, line: number): BurstGptColumns {
  const names = header.split(",").map((name) => name.trim().toLowerCase());
  const required = (name: string): number => {
    const index = names.indexOf(name.toLowerCase());
    if (index < 0) throw new TraceFormatError(file, line, `the header has no column "${name}"`);
    return index;
  };
  return {
    timestamp: required("Timestamp"),
    requestTokens: required("Request tokens"),
    responseTokens: required("Response tokens"),
    session: names.indexOf("session id"),
  };
}

/** One data line, null for a failed request. @throws TraceFormatError */
export function parseBurstGptLine(
  text: string,
  columns: BurstGptColumns,
  file: string,
  line: number,
): TraceRequest | null {
  const fields = text.split(",");
  const number = (index: number, name: string): number => {
    const value = Number(fields[index]);
    if ((fields[index] ?? "").trim() === "" || !(value >= 0)) {
      throw new TraceFormatError(file, line, `${name}: "${fields[index] ?? ""}" is not a number`);
    }
    return value;
  };
  const outputTokens = number(columns.responseTokens, "Response tokens");
  if (outputTokens === 0) return null;
  const session = columns.session < 0 ? undefined : fields[columns.session]?.trim();
  return {
    atMs: 1000 * number(columns.timestamp, "Timestamp"),
    promptTokens: Math.max(1, number(columns.requestTokens, "Request tokens")),
    outputTokens,
    blockIds: [],
    blockTokens: 512,
    sessionKey: session === undefined || session === "" ? null : `session-${session}`,
    adapter: null,
  };
}
