import { counted } from "#format/number.ts";
import type { ReplicaDetail } from "#server/fleet/read-replica.ts";

/** Subject and number first: how full the replica is against its peers, then what the routers know of it. */
export function replicaSentence(detail: ReplicaDetail): {
  readonly sentence: string;
  readonly detail: string;
} {
  const last = detail.points.findLast((point) => point.kvOccupancy !== null);
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
  if (last?.kvOccupancy == null) return { sentence: `${detail.id} reports no KV occupancy.`, detail: said };
  const percent = Math.round(last.kvOccupancy * 100);
  if (last.peerKvOccupancy === null) {
    return {
      sentence: `${detail.id} is at ${percent}\u00a0% KV; it has no peers to compare with.`,
      detail: said,
    };
  }
  const peers = Math.round(last.peerKvOccupancy * 100);
  const gap = percent - peers;
  const comparison =
    gap === 0
      ? `as full as its peers`
      : `${counted(Math.abs(gap), "point")} ${gap > 0 ? "above" : "below"} the median of its peers (${peers}\u00a0%)`;
  return { sentence: `${detail.id} is at ${percent}\u00a0% KV, ${comparison}.`, detail: said };
}
