import { type CostShape, DEFAULT_SHAPE } from "./cost-shape.ts";
import type { ForeignLoad, SegmentView } from "./fleet-snapshot.ts";
import { OutputLengths } from "./output-lengths.ts";
import type { SegmentId } from "./replica.ts";
import type { SpeedFactor } from "./speed-factor.ts";

const HIT_SHARE_RATE = 0.005;
const MEAN_PREFILL_RATE = 0.02;
const PRIOR_PREFILL_MS = 20;
const MEAN_REQUEST_RATE = 0.02;
const PRIOR_REQUEST_MS = 3000;
/** Medians over a segment are taken again after this long. */
const MEDIAN_LIFE_MS = 500;
/** Below this a median would make factors collapse to nothing. */
const LEAST_MEDIAN = 0.1;
const NO_FOREIGN_LOAD: ForeignLoad = {
  running: 0,
  queued: 0,
  contextTokens: 0,
  waitMs: 0,
  observedAtMs: null,
};

/** The parts of a replica that its segment compares. */
export interface SegmentMember {
  readonly prefillSpeed: SpeedFactor;
  readonly stepSpeed: SpeedFactor;
  /** Takes in whatever observation is complete by now. */
  settle(nowMs: number): void;
}

/** What is learned for all replicas of a segment together. Segments share nothing. */
export class SegmentLedger implements SegmentView {
  readonly id: SegmentId;
  readonly shape: CostShape = DEFAULT_SHAPE;
  readonly outputLengths = new OutputLengths();
  readonly members = new Set<SegmentMember>();
  readonly #prefillMedian = new CachedMedian();
  readonly #stepMedian = new CachedMedian();
  #hitShare = 0;
  meanPrefillMs = PRIOR_PREFILL_MS;
  /** From dispatch to end. */
  meanRequestMs = PRIOR_REQUEST_MS;
  #foreignRunning = 0;
  #foreignQueued = 0;
  #foreignReports = 0;
  #meanForeign: ForeignLoad = NO_FOREIGN_LOAD;

  constructor(id: SegmentId) {
    this.id = id;
  }

  get hitShare(): number {
    return this.#hitShare;
  }

  observeHit(cachedTokens: number, promptTokens: number): void {
    if (!(promptTokens > 0) || !(cachedTokens >= 0)) return;
    this.#hitShare += HIT_SHARE_RATE * (Math.min(1, cachedTokens / promptTokens) - this.#hitShare);
  }

  observePrefill(workMs: number): void {
    this.meanPrefillMs += MEAN_PREFILL_RATE * (workMs - this.meanPrefillMs);
  }

  observeDuration(durationMs: number): void {
    if (durationMs >= 0) this.meanRequestMs += MEAN_REQUEST_RATE * (durationMs - this.meanRequestMs);
  }

  /** Load of others on an average replica: what is assumed of one that reports nothing. */
  get meanForeign(): ForeignLoad {
    return this.#meanForeign;
  }

  /** Exchanges a replica's earlier foreign load for a new one; null stands for none reported. */
  countForeign(before: ForeignLoad | null, after: ForeignLoad | null): void {
    this.#foreignReports += (after === null ? 0 : 1) - (before === null ? 0 : 1);
    this.#foreignRunning += (after?.running ?? 0) - (before?.running ?? 0);
    this.#foreignQueued += (after?.queued ?? 0) - (before?.queued ?? 0);
    const reports = this.#foreignReports;
    this.#meanForeign =
      reports === 0
        ? NO_FOREIGN_LOAD
        : {
            running: this.#foreignRunning / reports,
            queued: this.#foreignQueued / reports,
            contextTokens: null,
            waitMs: null,
            observedAtMs: null,
          };
  }

  prefillMedian(nowMs: number): number {
    return this.#prefillMedian.at(nowMs, this.members, (member) => member.prefillSpeed.raw);
  }

  stepMedian(nowMs: number): number {
    return this.#stepMedian.at(nowMs, this.members, (member) => member.stepSpeed.raw);
  }
}

class CachedMedian {
  #value = 1;
  #takenAtMs = Number.NEGATIVE_INFINITY;

  at(
    nowMs: number,
    members: Iterable<SegmentMember>,
    read: (member: SegmentMember) => number | null,
  ): number {
    if (nowMs - this.#takenAtMs < MEDIAN_LIFE_MS && nowMs >= this.#takenAtMs) return this.#value;
    this.#takenAtMs = nowMs;
    const values: number[] = [];
    for (const member of members) {
      // Else the median would depend on which member happened to be looked at before.
      member.settle(nowMs);
      const value = read(member);
      if (value !== null) values.push(value);
    }
    values.sort((x, y) => x - y);
    const middle = values.length >> 1;
    const upper = values[middle];
    const lower = values[values.length % 2 === 0 ? middle - 1 : middle];
    this.#value =
      upper === undefined || lower === undefined ? 1 : Math.max(LEAST_MEDIAN, (upper + lower) / 2);
    return this.#value;
  }
}
