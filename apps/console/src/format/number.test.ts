import { expect, test } from "vitest";
import { counted, grouped, millis, percent, tokens } from "./number.ts";

test("what is not known is a dash, never a zero", () => {
  expect([millis(null), percent(null), tokens(null)]).toEqual(["–", "–", "–"]);
  expect([millis(0), percent(0), tokens(0)]).toEqual(["0 ms", "0 %", "0"]);
});

test("numbers are grouped by thin spaces and have a true minus", () => {
  expect(grouped(1_234_567)).toBe("1\u2009234\u2009567");
  expect(grouped(-1_984)).toBe("−1\u2009984");
  expect(grouped(-0.04, 1)).toBe("0.0");
  expect(grouped(999)).toBe("999");
});

test("milliseconds stay so below ten seconds", () => {
  expect([millis(8.54), millis(412), millis(9_999), millis(12_400), millis(120_000)]).toEqual([
    "8.5 ms",
    "412 ms",
    "9\u2009999 ms",
    "12.4 s",
    "120 s",
  ]);
});

test("percent has a decimal only below ten", () => {
  expect([percent(0.941), percent(0.0345), percent(1)]).toEqual(["94 %", "3.5 %", "100 %"]);
});

test("tokens are shortened as people say them", () => {
  expect([tokens(890), tokens(14_200), tokens(250_000), tokens(1_900_000)]).toEqual([
    "890",
    "14.2 k",
    "250 k",
    "1.9 M",
  ]);
});

test("one is not many", () => {
  expect([counted(1, "router"), counted(3, "router"), counted(0, "entry", "entries")]).toEqual([
    "1 router",
    "3 routers",
    "0 entries",
  ]);
});
