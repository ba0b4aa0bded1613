/** Codes of the socket, of the driver and of Postgres for a server that cannot be reached or takes nobody now. */
const AWAY: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "ETIMEDOUT",
  "EPIPE",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOENT",
  "EAI_AGAIN",
  "CONNECT_TIMEOUT",
  "CONNECTION_CLOSED",
  "CONNECTION_DESTROYED",
  "CONNECTION_ENDED",
  // Class 57P: shutting down, crashed, starting up. 53300: too many connections.
  "57P01",
  "57P02",
  "57P03",
  "53300",
]);
/** Postgres's class of connection exceptions. */
const CONNECTION_EXCEPTION = /^08[0-9A-Z]{3}$/;

/** Whether an error, or one it was made of, says that the database is away, as opposed to having refused something. */
export function isDatabaseAway(error: unknown, depth = 0): boolean {
  if (typeof error !== "object" || error === null || depth > 4) return false;
  if ("code" in error && typeof error.code === "string") {
    if (AWAY.has(error.code) || CONNECTION_EXCEPTION.test(error.code)) return true;
  }
  const parts = "errors" in error && Array.isArray(error.errors) ? error.errors : [];
  const cause = "cause" in error ? error.cause : null;
  return [...parts, cause].some((part) => isDatabaseAway(part, depth + 1));
}
