import type { StreamOutcome } from "./streaming-client.ts";

/** Percentiles of a sample; null when it is empty. */
export interface Percentiles {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
}

/** The value below which `share` of the sample lies (nearest rank). Null for an empty sample. */
export function percentile(sorted: readonly number[], share: number): number | null {
  if (sorted.length === 0) return null;
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? null;
}

export function percentilesOf(values: readonly number[]): Percentiles | null {
  const sorted = values.toSorted((a, b) => a - b);
  const p50 = percentile(sorted, 0.5);
  const p90 = percentile(sorted, 0.9);
  const p99 = percentile(sorted, 0.99);
  return p50 === null || p90 === null || p99 === null ? null : { p50, p90, p99 };
}

/** What a load generator's clients have seen so far. */
export interface LoadStatistics {
  readonly sent: number;
  readonly completed: number;
  /** Hung up on purpose. */
  readonly aborted: number;
  readonly failed: number;
  /** Session starts skipped because the concurrency bound was reached. */
  readonly skipped: number;
  readonly inFlight: number;
  readonly outputTokens: number;
  readonly promptTokens: number;
  readonly cachedTokens: number;
  /** Over the most recent requests. */
  readonly ttftMs: Percentiles | null;
  readonly itlMs: Percentiles | null;
  /** Failures by cause: an HTTP status or a transport error code. */
  readonly errors: Readonly<Record<string, number>>;
}

const WINDOW = 2000;

/** Collects outcomes; latencies over the last 2,000 requests, counts since the start. */
export class LoadStatisticsCollector {
  sent = 0;
  skipped = 0;
  inFlight = 0;
  aborted = 0;
  #completed = 0;
  #failed = 0;
  #outputTokens = 0;
  #promptTokens = 0;
  #cachedTokens = 0;
  readonly #ttftMs: number[] = [];
  readonly #itlMs: number[] = [];
  readonly #errors = new Map<string, number>();

  add(outcome: StreamOutcome): void {
    this.#outputTokens += outcome.outputTokens;
    if (outcome.error !== null) {
      this.#failed += 1;
      const cause =
        outcome.status !== null && outcome.status !== 200 ? `HTTP ${outcome.status}` : outcome.error;
      this.#errors.set(cause, (this.#errors.get(cause) ?? 0) + 1);
      return;
    }
    this.#completed += 1;
    this.#promptTokens += outcome.promptTokens ?? 0;
    this.#cachedTokens += outcome.cachedTokens ?? 0;
    keepRecent(this.#ttftMs, outcome.ttftMs);
    keepRecent(this.#itlMs, outcome.itlMs);
  }

  get statistics(): LoadStatistics {
    return {
      sent: this.sent,
      completed: this.#completed,
      aborted: this.aborted,
      failed: this.#failed,
      skipped: this.skipped,
      inFlight: this.inFlight,
      outputTokens: this.#outputTokens,
      promptTokens: this.#promptTokens,
      cachedTokens: this.#cachedTokens,
      ttftMs: percentilesOf(this.#ttftMs),
      itlMs: percentilesOf(this.#itlMs),
      errors: Object.fromEntries(this.#errors),
    };
  }
}

function keepRecent(values: number[], value: number | null): void {
  if (value === null) return;
  values.push(value);
  if (values.length > 2 * WINDOW) values.splice(0, values.length - WINDOW);
}
