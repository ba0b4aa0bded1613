import { expect, test } from "vitest";
import {
  answeredTraffic,
  nextReachability,
  type ProbeResult,
  REACHABILITY,
  UNPROBED,
} from "./reachability.ts";

const after = (...results: ProbeResult[]) =>
  results.reduce((state, result) => nextReachability(state, result, REACHABILITY), UNPROBED);

test("the first probe of a new replica decides at once", () => {
  expect(after("up").kind).toBe("reachable");
  expect(after("down").kind).toBe("unreachable");
  expect(after("loading").kind).toBe("loading");
});

test("a busy replica that answers some probes late stays reachable", () => {
  expect(after("up", "down", "down", "up", "down", "down").kind).toBe("reachable");
  expect(after("up", "down", "down", "down").kind).toBe("unreachable");
});

test("live traffic that is answered outweighs probes that are not", () => {
  const doubted = after("up", "down", "down");
  expect(nextReachability(answeredTraffic(doubted), "down", REACHABILITY).kind).toBe("reachable");
});

test("a lost replica returns after two good probes", () => {
  expect(after("down", "up").kind).toBe("unreachable");
  expect(after("down", "up", "down", "up").kind).toBe("unreachable");
  expect(after("down", "up", "up").kind).toBe("reachable");
});
