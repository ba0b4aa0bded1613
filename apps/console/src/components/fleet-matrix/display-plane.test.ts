import { expect, test } from "vitest";
import { displayPlane, paintWords } from "./display-plane.ts";
import { MISSING_BYTE } from "./matrix-scale.ts";

const M = MISSING_BYTE;

test("rows are drawn in the order given", () => {
  const plane = Uint8Array.from([1, 2, 3, 4, 5, 6]);
  expect([...displayPlane(plane, 2, [2, 0], 10, "absolute").bytes]).toEqual([5, 6, 1, 2]);
});

test("rows thinner than a pixel keep the highest value, and a gap only where all are missing", () => {
  const plane = Uint8Array.from([10, M, 240, M, 20, 30, 5, M]);
  const pooled = displayPlane(plane, 2, [0, 1, 2, 3], 2, "absolute");
  expect(pooled.lines).toBe(2);
  expect([...pooled.bytes]).toEqual([240, M, 20, 30]);
});

test("in divergence mode the value farthest from the median survives pooling, cool ones included", () => {
  const plane = Uint8Array.from([140, 20, 127, 200]);
  expect([...displayPlane(plane, 1, [0, 1, 2, 3], 1, "divergence").bytes]).toEqual([20]);
});

test("painting looks every byte up", () => {
  const lut = new Uint32Array(256);
  lut[7] = 0xff00ff00;
  const out = new Uint32Array(2);
  paintWords(out, Uint8Array.from([7, 255]), lut);
  expect([...out]).toEqual([0xff00ff00, 0]);
});
