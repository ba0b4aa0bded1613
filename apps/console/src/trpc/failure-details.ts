import { TRPCClientError } from "@trpc/client";

/** What to print of a failed call. */
export function failureDetails(error: unknown): {
  readonly message: string;
  readonly requestId: string | null;
} {
  if (!(error instanceof TRPCClientError)) {
    return { message: error instanceof Error ? error.message : "Something failed.", requestId: null };
  }
  const data: unknown = error.data;
  // Without data the server did not answer.
  if (typeof data !== "object" || data === null)
    return { message: "The console cannot be reached. Routing is not affected.", requestId: null };
  const requestId = "requestId" in data && typeof data.requestId === "string" ? data.requestId : null;
  return { message: error.message, requestId };
}
