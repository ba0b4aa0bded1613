import { type CostShape, prefillWorkMs } from "./cost-shape.ts";
import { CLIP, type SpeedFactor } from "./speed-factor.ts";
import type { StreamRecord } from "./stream-record.ts";

/** First tokens closer together than this came out of one engine step. */
const SAME_STEP_MS = 1;
/** Predicted prefills shorter than this say more about the step they ride in than about prefill speed. */
const LEAST_SAMPLE_MS = 3;
/** Time over prediction, against what is believed, within which a sample is no surprise. */
const EXPECTED = { least: 0.6, most: 1.6 };
/** Any prefill may have waited for a step that was under way. */
const STEP_ALLOWANCE_MS = 30;

/** Prefills whose first tokens came out of one step: one observed time for their work together. */
export interface PrefillSample {
  readonly openedAtMs: number;
  readonly observedMs: number;
  /** Work on the shape: as predicted, then as the replies tell. */
  predictedMs: number;
  /** Streams whose cached tokens are not known yet. */
  waiting: number;
  isDone: boolean;
}

/**
 * Turns first tokens into samples of a replica's prefill speed. A sample that fits what is believed counts at once. One
 * that surprises may be a change of speed or a wrong guess at what was cached, and a wrong guess at a long prompt would
 * outweigh everything: it waits until the engine has said how many tokens were cached.
 */
export class PrefillSampler {
  readonly #speed: SpeedFactor;
  readonly #shape: CostShape;
  #latest: PrefillSample | null = null;
  /** Speed factor as last read. */
  believed = 1;

  constructor(speed: SpeedFactor, shape: CostShape) {
    this.#speed = speed;
    this.#shape = shape;
  }

  /**
   * A stream's first token came.
   * @param observedMs since the replica could begin with it.
   * @param passedMs predicted work of prefills that were passed in silence on the way.
   */
  firstToken(stream: StreamRecord, observedMs: number, passedMs: number, nowMs: number): void {
    const predictedMs = passedMs + stream.workMs + stream.overheadMs;
    const latest = this.#latest;
    if (latest !== null && !latest.isDone && nowMs - latest.openedAtMs < SAME_STEP_MS) {
      latest.predictedMs += predictedMs;
      latest.waiting++;
      stream.sample = latest;
      return;
    }
    this.settle(nowMs);
    stream.sample = {
      openedAtMs: nowMs,
      observedMs: Math.max(0, observedMs),
      predictedMs,
      waiting: 1,
      isDone: false,
    };
    this.#latest = stream.sample;
  }

  /** Counts the last sample, if it is no surprise, once no other first token can come out of the same step. */
  settle(nowMs: number): void {
    const latest = this.#latest;
    if (latest === null || nowMs - latest.openedAtMs < SAME_STEP_MS) return;
    this.#latest = null;
    const ratio = latest.observedMs / (latest.predictedMs * this.believed);
    if (latest.waiting === 0 || (ratio >= EXPECTED.least && ratio <= EXPECTED.most))
      this.#count(latest, latest.openedAtMs);
  }

  /**
   * A stream is over.
   * @param cachedTokens as the engine reported, null when it did not: the prediction then stands.
   * @param isWhole whether it was completed; of one that was not the engine has said nothing and nothing is learned.
   */
  ended(stream: StreamRecord, cachedTokens: number | null, isWhole: boolean, nowMs: number): void {
    const { sample } = stream;
    stream.sample = null;
    if (sample === null || sample.isDone) return;
    if (cachedTokens === null && !isWhole) {
      sample.isDone = true;
      return;
    }
    if (cachedTokens !== null) sample.predictedMs += this.#workMs(stream, cachedTokens) - stream.workMs;
    sample.waiting--;
    if (sample.waiting === 0 && sample !== this.#latest) this.#count(sample, nowMs);
  }

  #workMs({ promptTokens }: StreamRecord, cachedTokens: number): number {
    const cached = Math.min(Math.max(0, cachedTokens), promptTokens - 1);
    return prefillWorkMs(this.#shape, promptTokens - cached, cached);
  }

  #count(sample: PrefillSample, atMs: number): void {
    sample.isDone = true;
    if (sample.predictedMs < LEAST_SAMPLE_MS) return;
    const most = CLIP * this.believed * sample.predictedMs + STEP_ALLOWANCE_MS;
    this.#speed.observe(Math.min(sample.observedMs, most), sample.predictedMs, atMs);
  }
}
