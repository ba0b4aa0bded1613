import fc from "fast-check";
import { expect, test } from "vitest";
import { RETRY_BUDGET, RetryBudget } from "./retry-budget.ts";

test("in an outage retries stay a bounded share of the clients' requests", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(100), { maxLength: 300 }), (gapsMs) => {
      const budget = new RetryBudget(RETRY_BUDGET, 0);
      let nowMs = 0;
      let retries = 0;
      for (const gapMs of gapsMs) {
        nowMs += gapMs;
        budget.earn(nowMs);
        // Every request would like two retries.
        for (let wish = 0; wish < 2; wish++) if (budget.take(nowMs)) retries++;
      }
      const saved = RETRY_BUDGET.perSecond * 10;
      const bound = saved + gapsMs.length * RETRY_BUDGET.ratio + (nowMs / 1_000) * RETRY_BUDGET.perSecond;
      expect(retries).toBeLessThanOrEqual(bound);
    }),
  );
});
