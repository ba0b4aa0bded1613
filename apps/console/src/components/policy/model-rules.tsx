import { strategySpec } from "@evenkeel/scheduler/catalog";
import type { ModelPolicyDocument, PolicyDocument } from "@evenkeel/scheduler/policy";
import { counted, grouped, millis } from "#format/number.ts";

/** Each model's rules in a few lines, as they act. */
export function ModelRules({ document }: { readonly document: PolicyDocument }) {
  return (
    <ul>
      {document.models.map((model) => (
        <li key={model.name} className="px-3 py-2.5 not-first:border-t">
          <div className="flex items-baseline justify-between gap-2">
            <span className="mono min-w-0 truncate font-medium" title={model.name}>
              {model.name}
            </span>
            <span className="text-label whitespace-nowrap text-muted">
              {model.pools.length === 0 ? "every replica" : counted(model.pools.length, "pool")}
            </span>
          </div>
          <div className="text-lead font-semibold">{strategySpec(model.strategy.type).title}</div>
          <dl className="mt-1 grid grid-cols-[96px_minmax(0,1fr)] gap-x-2 text-label">
            {facts(model).map(([name, value]) => (
              <div key={name} className="contents">
                <dt className="text-muted">{name}</dt>
                <dd className="[overflow-wrap:anywhere]">{value}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}

function facts(model: ModelPolicyDocument): readonly (readonly [string, string])[] {
  const { objectives, sessions, retries, timeouts, limits } = model;
  return [
    [
      "Objectives",
      `TTFT ${millis(objectives.ttftBaseMs)} + ${objectives.ttftPerTokenMs} ms per token, ITL ${millis(objectives.itlMs)}`,
    ],
    [
      "Sessions",
      sessions.keys.length === 0
        ? "not recognised"
        : `move at ${sessions.moveMargin}× re-prefill, by ${counted(sessions.keys.length, "key")}`,
    ],
    ["Attempts", `at most ${retries.maxAttempts}, first byte within ${millis(timeouts.firstByteMs)}`],
    ["In flight", `at most ${grouped(limits.maxInFlightPerReplica)} per replica and router`],
  ];
}
