import type { RejectedDecision, RoutedDecision } from "@evenkeel/scheduler/decision";
import type { Clock } from "./clock.ts";
import type { Fleet } from "./fleet/fleet.ts";
import { RouterError } from "./http/router-error.ts";

/** What a client is told of a decision that sends its request nowhere. */
export function rejectionOf(
  deps: { readonly fleet: Fleet; readonly clock: Clock },
  decision: RoutedDecision | RejectedDecision,
  model: string,
): RouterError {
  switch (decision.kind === "rejected" ? decision.code : "unknown_model") {
    case "unknown_model":
      return new RouterError(
        "unknown_model",
        `There is no model "${model}" here. GET /v1/models lists those there are.`,
        { param: "model" },
      );
    case "saturated": {
      const ids = decision.filtered.map(({ replica }) => replica);
      const nowMs = deps.clock();
      const endMs = deps.fleet.earliestPauseEnd(ids, nowMs);
      return new RouterError("saturated", "Every replica of this model is at its limit. Try again later.", {
        retryAfterMs: endMs === null ? null : endMs - nowMs,
      });
    }
    case "no_replica":
      return new RouterError("no_replica", "No replica can serve this model now. Try again later.");
  }
}
