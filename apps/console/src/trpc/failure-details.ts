import { TRPCClientError } from "@trpc/client";
import * as z from "zod/mini";

const details = z.object({ requestId: z.nullish(z.string()) });

/** What to print of a failed call. */
export function failureDetails(error: unknown): {
  readonly message: string;
  readonly requestId: string | null;
} {
  if (!(error instanceof TRPCClientError)) {
    return { message: error instanceof Error ? error.message : "Something failed.", requestId: null };
  }
  const parsed = details.safeParse(error.data);
  // Without data the server did not answer.
  if (!parsed.success)
    return { message: "The console cannot be reached. Routing is not affected.", requestId: null };
  return { message: error.message, requestId: parsed.data.requestId ?? null };
}
