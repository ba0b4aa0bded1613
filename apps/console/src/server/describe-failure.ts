import { DbError } from "@evenkeel/db/db-error";
import { TRPCError } from "@trpc/server";

export interface Failure {
  readonly code: TRPCError["code"];
  /** Stable word for the client: `store_unavailable`, `forbidden`, `invalid_input`, … */
  readonly reason: string;
  /** A sentence for the person at the screen; never a driver's message. */
  readonly message: string;
  readonly isOurFault: boolean;
}

/** Codes of the socket and of Postgres that mean "the database is away", as opposed to "the query is wrong". */
const AWAY = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "ETIMEDOUT",
  "EPIPE",
  "EHOSTUNREACH",
  "ENOENT",
  "EAI_AGAIN",
  "CONNECT_TIMEOUT",
  "CONNECTION_CLOSED",
  "CONNECTION_DESTROYED",
  "CONNECTION_ENDED",
  "57P01",
  "57P02",
  "57P03",
  "53300",
  "08000",
  "08001",
  "08003",
  "08004",
  "08006",
]);

/** Codes of Postgres for text it cannot hold: NUL, in plain text and inside a JSON document. */
const UNSTORABLE = new Set(["22021", "22P05"]);

/** Whether this error, or one it wraps, says that the database cannot be reached. */
export function isStoreAway(error: unknown): boolean {
  return holdsCode(error, AWAY);
}

function holdsCode(error: unknown, codes: ReadonlySet<string>): boolean {
  let current: unknown = error;
  for (let depth = 0; depth < 8 && typeof current === "object" && current !== null; depth += 1) {
    if ("code" in current && typeof current.code === "string" && codes.has(current.code)) return true;
    if (
      "errors" in current &&
      Array.isArray(current.errors) &&
      current.errors.some((one) => holdsCode(one, codes))
    )
      return true;
    current = "cause" in current ? current.cause : null;
  }
  return false;
}

/** Errors of the store that are an answer to the caller; the others are faults of the installation. */
const STORE_REFUSALS: Partial<Record<DbError["code"], TRPCError["code"]>> = {
  reason_required: "BAD_REQUEST",
  unknown_revision: "NOT_FOUND",
};

function dbErrorIn(error: unknown): DbError | null {
  if (error instanceof DbError) return error;
  return error instanceof Error && error.cause instanceof DbError ? error.cause : null;
}

/** Turns any failure into what the client is told. */
export function describeFailure(error: unknown): Failure {
  if (isStoreAway(error)) {
    return {
      code: "SERVICE_UNAVAILABLE",
      reason: "store_unavailable",
      message:
        "The database cannot be reached. Routing continues on the last policy; nothing can be changed until it is back.",
      isOurFault: true,
    };
  }
  if (error instanceof TRPCError && error.code !== "INTERNAL_SERVER_ERROR") {
    const reason = error.code === "BAD_REQUEST" ? "invalid_input" : error.code.toLowerCase();
    return { code: error.code, reason, message: error.message, isOurFault: false };
  }
  const stored = dbErrorIn(error);
  if (stored !== null) {
    const code = STORE_REFUSALS[stored.code];
    return {
      code: code ?? "INTERNAL_SERVER_ERROR",
      reason: stored.code,
      message: stored.message,
      isOurFault: code === undefined,
    };
  }
  if (holdsCode(error, UNSTORABLE)) {
    return {
      code: "BAD_REQUEST",
      reason: "invalid_input",
      message: "The text holds the character NUL (U+0000), which cannot be stored: remove it.",
      isOurFault: false,
    };
  }
  return {
    code: "INTERNAL_SERVER_ERROR",
    reason: "internal",
    message:
      "The console failed to answer. Routing is not affected; the log has the details under this request id.",
    isOurFault: true,
  };
}
