import type { AttemptOutcome, DecisionRecord } from "@evenkeel/db/decision-record";
import { classNames } from "#components/ui/class-names.ts";
import { counted, millis } from "#format/number.ts";

const ATTEMPT_WORDS: Record<AttemptOutcome, string> = {
  completed: "completed",
  client_gone: "client left",
  connect_failed: "connection failed",
  reset_before_first_byte: "reset before the first byte",
  first_byte_timeout: "no first byte in time",
  engine_saturated: "engine saturated",
  engine_error: "engine error",
  client_error: "client error",
  broken_stream: "stream broke",
  idle_timeout: "stream went silent",
};
const GOOD = new Set<AttemptOutcome>(["completed", "client_gone", "client_error"]);

/** Every attempt in order: replica, how it ended, status, how long. */
export function AttemptRows({ record }: { readonly record: DecisionRecord }) {
  const { attempts } = record;
  const whole = (
    <>
      whole request {millis(record.durationMs)}
      {record.heldMs > 0 ? `, held ${millis(record.heldMs)} in the router` : ""}
      {record.status === null ? ", client left before a status" : `, status ${record.status}`}
      {record.errorCode === null ? "" : `, ${record.errorCode}`}
    </>
  );
  const [only, ...others] = attempts;
  if (only !== undefined && others.length === 0) {
    return (
      <section
        aria-label="Attempts"
        className="flex flex-none flex-wrap items-baseline gap-x-2 border-t px-4 py-1.5 text-label"
      >
        <h3 className="font-semibold">1 attempt</h3>
        <span>
          <span className="mono">{only.replica}</span>{" "}
          <span className={classNames(!GOOD.has(only.outcome) && "text-crit")}>
            {ATTEMPT_WORDS[only.outcome]}
          </span>
          {only.status === null ? ", no answer" : `, ${only.status}`}, {millis(only.durationMs)}
        </span>
        <span className="ml-auto text-muted">{whole}</span>
      </section>
    );
  }
  return (
    <section aria-label="Attempts" className="flex-none border-t px-4 py-1.5 text-label">
      <div className="flex items-baseline gap-2">
        <h3 className="font-semibold">{counted(attempts.length, "attempt")}</h3>
        <span className="text-muted">{whole}</span>
      </div>
      <ol>
        {attempts.map((attempt, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: attempts are a fixed sequence and may repeat a replica
          <li key={at} className="flex items-center gap-3 leading-5">
            <span className="w-4 text-right text-muted">{at + 1}</span>
            <span className="mono max-w-40 truncate">{attempt.replica}</span>
            <span className={classNames(!GOOD.has(attempt.outcome) && "text-crit")}>
              {ATTEMPT_WORDS[attempt.outcome]}
            </span>
            <span className="text-muted">{attempt.status === null ? "no answer" : attempt.status}</span>
            <span className="ml-auto text-muted">{millis(attempt.durationMs)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
