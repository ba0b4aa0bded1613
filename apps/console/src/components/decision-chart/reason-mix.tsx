import { REASON_ORDER, reasonColour, reasonInk, reasonWord } from "#components/decision-list/reason-look.ts";
import { counted } from "#format/number.ts";
import type { ReasonMix, ReasonOrRejected } from "#server/decisions/count-decisions.ts";

type Counts = ReasonMix["own"];

/** Why one replica is chosen, against its peers, as shares. */
export function ReasonMixBars({ mix }: { readonly mix: ReasonMix }) {
  const present = REASON_ORDER.filter((reason) => mix.own[reason] || mix.others[reason]);
  return (
    <div className="flex flex-none flex-col gap-2 px-3 py-2">
      <div className="grid grid-cols-[minmax(56px,auto)_minmax(0,1fr)] items-center gap-x-2 gap-y-1 text-label">
        <span className="mono max-w-40 truncate font-medium text-hot">{mix.replica}</span>
        <ShareBar counts={mix.own} />
        <span className="font-medium">{counted(mix.peers, "peer")}</span>
        <ShareBar counts={mix.others} />
      </div>
      <ReasonLegend reasons={present} />
    </div>
  );
}

export function ReasonLegend({ reasons }: { readonly reasons: readonly ReasonOrRejected[] }) {
  return (
    <div className="flex flex-wrap gap-x-3 gap-y-1 text-micro text-muted">
      {reasons.map((reason) => (
        <span key={reason} className="inline-flex items-center gap-1.5">
          <span
            aria-hidden="true"
            className="size-2.5 rounded-xs"
            style={{ background: reasonColour(reason) }}
          />
          {reasonWord(reason)}
        </span>
      ))}
    </div>
  );
}

function ShareBar({ counts }: { readonly counts: Counts }) {
  const total = REASON_ORDER.reduce((sum, reason) => sum + (counts[reason] ?? 0), 0);
  if (total === 0) return <span className="text-muted">no decision in this range</span>;
  return (
    <span className="flex h-5 gap-px">
      {REASON_ORDER.map((reason) => {
        const share = (counts[reason] ?? 0) / total;
        if (share === 0) return null;
        return (
          <span
            key={reason}
            title={`${reasonWord(reason)} ${(share * 100).toFixed(1)} %`}
            className="flex items-center overflow-hidden pl-1 text-micro font-semibold whitespace-nowrap"
            style={{ width: `${share * 100}%`, background: reasonColour(reason), color: reasonInk(reason) }}
          >
            {share >= 0.05 ? `${Math.round(share * 100)} %` : ""}
            <span className="sr-only">{reasonWord(reason)}</span>
          </span>
        );
      })}
    </span>
  );
}
