import type { AttemptOutcome } from "@evenkeel/db/decision-record";
import type { ErrorAnswer } from "./error-answer.ts";
import type { ReplyObservation } from "./reply-observer.ts";

/** How one attempt at one replica ended. */
export interface AttemptEnd {
  readonly outcome: AttemptOutcome;
  /** HTTP status the replica answered with, null when none came. */
  readonly status: number | null;
  /** The pause the replica asked for, null when it asked for none. */
  readonly retryAfterMs: number | null;
  readonly endedAtMs: number;
  /** What passed by, null when nothing was relayed. */
  readonly observation: ReplyObservation | null;
  /** "No such model here": another replica may have it; else this answer is the client's. */
  readonly modelMissing: ErrorAnswer | null;
}
