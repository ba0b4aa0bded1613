import { expect, test } from "vitest";
import { columnMedians, writeDivergence } from "./column-medians.ts";
import { MISSING_BYTE } from "./matrix-scale.ts";

const M = MISSING_BYTE;

test("every column has the median of the rows that have a value there", () => {
  const cells = Uint8Array.from([
    10,
    50,
    M, //
    20,
    M,
    M,
    90,
    70,
    M,
    255,
    60,
    M,
  ]);
  expect([...columnMedians(cells, 3, [0, 1, 2, 3])]).toEqual([20, 60, M]);
});

test("rows left out of the group do not count", () => {
  const cells = Uint8Array.from([10, 200, 20, 30]);
  expect([...columnMedians(cells, 1, [0, 2, 3])]).toEqual([20]);
});

test("divergence is centred on 127, clips at its reach and keeps gaps", () => {
  const cells = Uint8Array.from([100, 120, 60, M]);
  const out = new Uint8Array(4).fill(M);
  writeDivergence(out, cells, 1, [0, 1, 2, 3], Uint8Array.from([100]), 40);
  expect([...out]).toEqual([127, 191, 0, M]);
});

test("without a median there is no divergence", () => {
  const out = new Uint8Array(1);
  writeDivergence(out, Uint8Array.from([100]), 1, [0], Uint8Array.from([M]), 40);
  expect([...out]).toEqual([M]);
});
