export interface RetryBudgetSettings {
  /** Retries earned per request: 0.2 keeps extra load on the fleet under 20 % of the client's traffic. */
  readonly ratio: number;
  /** Retries per second that are always earned, so that a quiet router can still retry. */
  readonly perSecond: number;
  /** Most retries saved up. */
  readonly cap: number;
}

export const RETRY_BUDGET: RetryBudgetSettings = { ratio: 0.2, perSecond: 2, cap: 100 };

/**
 * Bounds retries over all requests, so that in an outage the engines do not see a multiple of the clients'
 * traffic. A token bucket: requests and time earn, a retry spends. Per router instance.
 */
export class RetryBudget {
  readonly #settings: RetryBudgetSettings;
  #balance: number;
  #earnedAtMs: number;

  constructor(settings: RetryBudgetSettings, nowMs: number) {
    this.#settings = settings;
    this.#balance = Math.min(settings.cap, settings.perSecond * 10);
    this.#earnedAtMs = nowMs;
  }

  /** A client request arrived. */
  earn(nowMs: number): void {
    this.#earnByTime(nowMs);
    this.#balance = Math.min(this.#settings.cap, this.#balance + this.#settings.ratio);
  }

  /** Takes one retry; false when the budget is spent. */
  take(nowMs: number): boolean {
    this.#earnByTime(nowMs);
    if (this.#balance < 1) return false;
    this.#balance -= 1;
    return true;
  }

  #earnByTime(nowMs: number): void {
    const elapsedMs = Math.max(0, nowMs - this.#earnedAtMs);
    this.#earnedAtMs = nowMs;
    this.#balance = Math.min(
      this.#settings.cap,
      this.#balance + (elapsedMs / 1_000) * this.#settings.perSecond,
    );
  }
}
