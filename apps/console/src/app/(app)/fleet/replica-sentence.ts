import { matrixMetric } from "#components/fleet-matrix/matrix-metrics.ts";
import { fullValue } from "#components/fleet-matrix/matrix-value.ts";
import { counted } from "#format/number.ts";
import type { ReplicaDetail } from "#server/fleet/read-replica.ts";

/** Subject and number first: how full the replica is now against its peers, then what the routers know of it. */
export function replicaSentence(detail: ReplicaDetail): {
  readonly sentence: string;
  readonly detail: string;
} {
  const { kvOccupancy, peerKvOccupancy } = detail.now;
  const newest = detail.views.reduce<ReplicaDetail["views"][number] | null>(
    (best, view) => (best && best.takenAtMs >= view.takenAtMs ? best : view),
    null,
  );
  const facts = [
    ...(newest ? [newest.state] : ["not seen in this range"]),
    ...(newest?.signalAgeMs != null ? [`signals ${(newest.signalAgeMs / 1000).toFixed(1)} s old`] : []),
    ...(detail.views.length > 0 ? [`seen by ${counted(detail.views.length, "router")}`] : []),
    ...(detail.decisions.failed > 0 ? [counted(detail.decisions.failed, "failed request")] : []),
  ];
  const detailWords = `${facts.join(", ")}.`;
  const said = detailWords.charAt(0).toUpperCase() + detailWords.slice(1);
  if (kvOccupancy === null) return { sentence: `${detail.id} reports no KV occupancy.`, detail: said };
  const kv = matrixMetric("kv");
  // One printed string however the number came about: the row says the same.
  const share = (value: number) => fullValue(kv, value).replace(" ", "\u00a0");
  if (peerKvOccupancy === null) {
    return {
      sentence: `${detail.id} is at ${share(kvOccupancy)} KV; it has no peers to compare with.`,
      detail: said,
    };
  }
  const gap = Math.round(kvOccupancy * 100) - Math.round(peerKvOccupancy * 100);
  const comparison =
    gap === 0
      ? `as full as its peers`
      : `${counted(Math.abs(gap), "point")} ${gap > 0 ? "above" : "below"} the median of its peers (${share(peerKvOccupancy)})`;
  return { sentence: `${detail.id} is at ${share(kvOccupancy)} KV, ${comparison}.`, detail: said };
}
