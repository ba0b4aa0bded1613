import { expect, test } from "vitest";
import type { PolicyState, RouterState } from "#server/live/policy-topic.ts";
import { ackSummary, ackWords } from "./ack-summary.ts";

const NOW = 1_000_000;
const live = { revision: 4, kind: "publish" as const, author: "a", reason: "b", publishedAtMs: NOW - 10_000 };

function router(id: string, rest: Partial<RouterState> = {}): RouterState {
  return { id, host: null, version: null, lastSeenAtMs: NOW - 1_000, policyRevision: 4, ack: null, ...rest };
}

function applied(id: string, afterMs: number): RouterState {
  return router(id, { ack: { status: "applied", problem: null, ackedAtMs: live.publishedAtMs + afterMs } });
}

test("a revision is told with how many routers have it and how long the slowest took", () => {
  const state: PolicyState = { live, routers: [applied("a", 300), applied("b", 1_400), router("c")] };
  const summary = ackSummary(state, NOW);
  expect(ackWords(summary)).toBe("applied by 2 of 3 routers");
  expect(summary.slowestMs).toBe(1_400);
  expect(summary.waiting.map(({ id }) => id)).toEqual(["c"]);
});

test("a router that is silent does not count as one that has not applied", () => {
  const state: PolicyState = {
    live,
    routers: [applied("a", 300), router("gone", { lastSeenAtMs: NOW - 60_000 })],
  };
  const summary = ackSummary(state, NOW);
  expect(ackWords(summary)).toBe("applied by 1 of 1 router");
  expect(summary.silent.map(({ id }) => id)).toEqual(["gone"]);
});

test("who refused is named", () => {
  const refused = router("b", { ack: { status: "refused", problem: "unknown field", ackedAtMs: NOW } });
  expect(ackWords(ackSummary({ live, routers: [applied("a", 1), refused] }, NOW))).toBe(
    "applied by 1 of 2 routers, refused by b",
  );
});

test("without routers nothing is claimed", () => {
  expect(ackWords(ackSummary({ live, routers: [] }, NOW))).toBe("no router is connected");
});
