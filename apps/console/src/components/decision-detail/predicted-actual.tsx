import type { DecisionRecord } from "@evenkeel/db/decision-record";
import { classNames } from "#components/ui/class-names.ts";
import { grouped, millis } from "#format/number.ts";

/** Beyond this share a prediction was wrong enough to be pointed out. */
const WRONG_SHARE = 0.1;

/** What was predicted when the replica was chosen, against what came. */
export function PredictedActual({ record }: { readonly record: DecisionRecord }) {
  const routed = record.decision.kind === "routed" ? record.decision : null;
  const own = routed?.candidates[0] ?? null;
  return (
    <section aria-label="Predicted against actual" className="flex-none border-t">
      <h3 className="flex h-7 items-center px-4 text-label font-semibold">Predicted against actual</h3>
      <dl className="grid grid-cols-5 gap-2 px-4 pb-2 max-[720px]:grid-cols-2">
        <Tile name="TTFT, ms" predicted={own?.predictedTtftMs ?? null} actual={record.ttftMs} />
        <Tile name="Prompt tokens" predicted={record.promptTokensPredicted} actual={record.promptTokens} />
        <Tile name="Cached tokens" predicted={own?.cachedTokens ?? null} actual={record.cachedTokens} />
        <Tile
          name="Output tokens"
          predicted={routed?.predictedOutputTokens ?? null}
          actual={record.outputTokens}
        />
        <div className="rounded-md bg-raise px-2 py-1.5">
          <dt className="text-micro text-muted">ITL, mean</dt>
          <dd className="text-label font-semibold">
            {record.itlMs === null ? "not known" : millis(record.itlMs)}
          </dd>
          <dd className="text-micro text-muted">not predicted</dd>
        </div>
      </dl>
    </section>
  );
}

function Tile({
  name,
  predicted,
  actual,
}: {
  readonly name: string;
  readonly predicted: number | null;
  readonly actual: number | null;
}) {
  const off = predicted !== null && actual !== null && predicted > 0 ? actual / predicted - 1 : null;
  const words = (value: number | null) => (value === null ? "–" : grouped(value));
  return (
    <div className="min-w-0 rounded-md bg-raise px-2 py-1.5">
      <dt className="text-micro text-muted">{name}</dt>
      <dd className="text-label font-semibold whitespace-nowrap">
        {words(predicted)} → {actual === null ? "?" : words(actual)}
      </dd>
      <dd
        className={classNames(
          "text-micro",
          off === null ? "text-muted" : Math.abs(off) > WRONG_SHARE ? "text-warn" : "text-ok",
        )}
      >
        {off === null
          ? actual === null
            ? "not known"
            : predicted === 0
              ? "none expected"
              : "not predicted"
          : `${off > 0 ? "+" : ""}${grouped(off * 100, Math.abs(off) < 0.1 ? 1 : 0)} %`}
      </dd>
    </div>
  );
}
