import { expect, test } from "vitest";
import { MATRIX_METRICS, matrixMetric } from "./matrix-metrics.ts";
import { decodeCell, divergenceReach, encodeCell, MAX_BYTE, MISSING_BYTE } from "./matrix-scale.ts";

test("a missing value is its own byte and never zero, on every metric", () => {
  for (const { scale } of MATRIX_METRICS) {
    expect(encodeCell(scale, null)).toBe(MISSING_BYTE);
    expect(encodeCell(scale, Number.NaN)).toBe(MISSING_BYTE);
    expect(encodeCell(scale, 0)).toBe(0);
    expect(decodeCell(scale, MISSING_BYTE)).toBeNull();
    expect(decodeCell(scale, 0)).toBe(0);
  }
});

test("bytes keep the order of values and clip at the ends of the domain", () => {
  for (const { scale } of MATRIX_METRICS) {
    let last = -1;
    for (let step = 0; step <= 100; step++) {
      const byte = encodeCell(scale, (scale.max * step) / 100);
      expect(byte).toBeGreaterThanOrEqual(last);
      last = byte;
    }
    expect(last).toBe(MAX_BYTE);
    expect(encodeCell(scale, scale.max * 50)).toBe(MAX_BYTE);
    expect(encodeCell(scale, -1)).toBe(0);
  }
});

test("decoding gives the value back to within half a step", () => {
  const kv = matrixMetric("kv").scale;
  expect(decodeCell(kv, encodeCell(kv, 0.94))).toBeCloseTo(0.94, 2);
  const queue = matrixMetric("queue").scale;
  for (const depth of [0, 1, 2, 3, 5, 10, 20]) {
    expect(Math.round(decodeCell(queue, encodeCell(queue, depth)) ?? -1)).toBe(depth);
  }
  const ttft = matrixMetric("ttft").scale;
  expect((decodeCell(ttft, encodeCell(ttft, 1860)) ?? 0) / 1860).toBeCloseTo(1, 1);
});

test("the diverging reach is points on a linear scale and a factor on a log scale", () => {
  const kv = matrixMetric("kv");
  expect(divergenceReach(kv.scale, 0.25)).toBeCloseTo(MAX_BYTE / 4);
  const ttft = matrixMetric("ttft");
  const far = encodeCell(ttft.scale, 40_000) - encodeCell(ttft.scale, 10_000);
  expect(divergenceReach(ttft.scale, 4)).toBeCloseTo(far, -0.5);
});

test("an unknown metric id falls back to the first metric", () => {
  expect(matrixMetric("<script>").id).toBe("kv");
  expect(matrixMetric(null).id).toBe("kv");
});
