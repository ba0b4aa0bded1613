import { expect, test } from "vitest";
import { matrixMetric } from "./matrix-metrics.ts";
import { bareValue } from "./matrix-value.ts";

const kv = matrixMetric("kv");

test("a value under the guard is never printed as the guard", () => {
  expect(bareValue(kv, 0.919)).toBe("91.9");
  expect(bareValue(kv, 0.91999)).toBe("91.9");
  expect(bareValue(kv, 0.9149)).toBe("91");
  expect(bareValue(kv, 0.92)).toBe("92");
});

test("shares are whole percents from ten on and keep a digit below", () => {
  expect(bareValue(kv, 0.664)).toBe("66");
  expect(bareValue(kv, 0.034)).toBe("3.4");
  expect(bareValue(kv, 0)).toBe("0");
});
