import { expect, test } from "vitest";
import type { ReplicaView } from "./fleet-snapshot.ts";
import { TestFleet } from "./testing-fleet.ts";

function only(fleet: TestFleet, nowMs: number): ReplicaView {
  const view = fleet.state.snapshot(nowMs).replicas[0];
  if (view === undefined) throw new Error("no replica");
  return view;
}

/** One answer after `prefillMs` to a prompt of 10,000 tokens, about 217 ms of work on the shape when none is cached. */
function answer(
  fleet: TestFleet,
  id: string,
  atMs: number,
  prefillMs: number,
  cachedTokens: number | null,
): void {
  fleet.send(id.repeat(40_000 / id.length), atMs, { id });
  fleet.state.firstToken(id, atMs + prefillMs);
  fleet.state.tokens(id, 1, atMs + prefillMs + 10);
  if (cachedTokens !== null) fleet.state.usage(id, { promptTokens: 10_000, cachedTokens, outputTokens: 2 });
  fleet.state.ended(id, "completed", atMs + prefillMs + 1000);
}

test("a prefill that was far faster because more was cached than expected does not make the replica look fast", () => {
  const fleet = new TestFleet(1);
  for (let i = 0; i < 6; i++) answer(fleet, `s${i}`, 5000 * i, 240, 0);
  const before = only(fleet, 40_000).prefillFactor(40_000);
  for (let i = 6; i < 10; i++) answer(fleet, `s${i}`, 5000 * i, 20, 9900);
  expect(only(fleet, 60_000).prefillFactor(60_000)).toBeGreaterThan(0.8 * before);
});

test("a prefill that was far slower although nothing more was computed than expected does make it look slow", () => {
  const fleet = new TestFleet(1);
  for (let i = 0; i < 10; i++) answer(fleet, `s${i}`, 5000 * i, 900, 0);
  expect(only(fleet, 60_000).prefillFactor(60_000)).toBeGreaterThan(3);
});

test("a surprise is not learned before its engine has said what was cached", () => {
  const fleet = new TestFleet(1);
  fleet.send("a".repeat(40_000), 0, { id: "a" });
  fleet.state.firstToken("a", 2000);
  expect(only(fleet, 4000).prefillFactor(4000)).toBe(1);
  fleet.state.ended("a", "completed", 5000);
  expect(only(fleet, 6000).prefillFactor(6000)).toBeGreaterThan(1.5);
});

test("a surprise in an answer that was broken off is not learned at all", () => {
  const fleet = new TestFleet(1);
  fleet.send("a".repeat(40_000), 0, { id: "a" });
  fleet.state.firstToken("a", 2000);
  fleet.state.ended("a", "client_gone", 2500);
  expect(only(fleet, 6000).prefillFactor(6000)).toBe(1);
});

test("first tokens of one step are one sample: their work adds up, their time counts once", () => {
  const fleet = new TestFleet(1);
  for (let i = 0; i < 8; i++) {
    const atMs = 5000 * i;
    for (const id of [`a${i}`, `b${i}`]) fleet.send(id.repeat(10_000), atMs, { id });
    for (const id of [`a${i}`, `b${i}`]) fleet.state.firstToken(id, atMs + 2 * 110 + 8);
    for (const id of [`a${i}`, `b${i}`]) fleet.state.ended(id, "completed", atMs + 1000);
  }
  const learned = only(fleet, 50_000).prefillFactor(50_000);
  expect(learned).toBeGreaterThan(0.8);
  expect(learned).toBeLessThan(1.3);
});
