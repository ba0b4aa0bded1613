import type { ReplicaView } from "./fleet-snapshot.ts";
import type { Prediction } from "./prediction.ts";

/**
 * ITL objectives that a prefill is expected to break on a replica: those of streams that decode there, and of those
 * about to.
 *
 * A stream of n tokens forgives (objective − step)·n milliseconds of stall. One that has seen g gaps in e milliseconds
 * and meets X more of stall breaks its objective exactly when it ends before having n* = (e + X − step·g) / (objective −
 * step) gaps; how likely that is, the learned output lengths say. Only short answers are hurt, and only while young.
 *
 * Only what ours adds counts: a stream that the prefills ahead will have broken is not broken again. So a long prefill
 * goes, or waits, where the damage is done or nobody can be hurt.
 *
 * @param prediction of our request there. @param stallMs what it adds to everyone's gaps: its prefill, and the load of
 * its adapter.
 */
export function expectedViolations(
  view: ReplicaView,
  prediction: Prediction,
  stallMs: number,
  itlMs: number,
  nowMs: number,
): number {
  const { waitMs, stepMs, prefillFactor, stepFactor } = prediction;
  const { outputLengths } = view.segment;
  // A token always earns something: near the limit harm would else explode and everything would be held.
  const earnedMs = Math.max(itlMs / 2, itlMs - stepMs);
  const { count, firstTokenAtMs, gaps } = view.decoding;
  let violations = 0;
  for (let i = 0; i < count; i++) {
    // Both arrays have at least `count` entries.
    const g = gaps[i] as number;
    const spentMs = nowMs - (firstTokenAtMs[i] as number) + waitMs - stepMs * g;
    const after = (spentMs + stallMs) / earnedMs;
    if (!(after > g)) continue;
    const alive = outputLengths.survival(g + 2);
    if (alive < 1e-9) continue;
    const before = spentMs / earnedMs;
    const keptBefore = before > g ? Math.min(1, outputLengths.survival(1 + before) / alive) : 1;
    violations += Math.max(0, keptBefore - outputLengths.survival(1 + after) / alive);
  }
  let behindMs = 0;
  for (let i = view.prefilling.length - 1; i >= 0; i--) {
    const stream = view.prefilling[i];
    if (stream === undefined) continue;
    if (stream.isStreaming) {
      violations +=
        outputLengths.survival(1 + behindMs / earnedMs) -
        outputLengths.survival(1 + (behindMs + stallMs) / earnedMs);
    }
    behindMs += prefillFactor * stream.workMs + stepFactor * stream.overheadMs;
  }
  return violations;
}
