import { LogHistogram } from "../record/log-histogram.ts";

/** What one replica did for this router since the last snapshot. */
export class ReplicaWindow {
  readonly ttft = new LogHistogram();
  readonly itl = new LogHistogram();
  requests = 0;
  failures = 0;
  promptTokens = 0;
  cachedTokens = 0;

  /** Share of prompt tokens served from cache, null when no engine reported usage. */
  get hitRate(): number | null {
    return this.promptTokens === 0 ? null : this.cachedTokens / this.promptTokens;
  }

  clear(): void {
    this.ttft.clear();
    this.itl.clear();
    this.requests = 0;
    this.failures = 0;
    this.promptTokens = 0;
    this.cachedTokens = 0;
  }
}
