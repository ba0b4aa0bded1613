import { expect, test } from "vitest";
import { CLOSED, EJECTION, type Ejection, type EjectionEvent, nextEjection } from "./ejection.ts";

const half = () => 0.5;
const after = (state: Ejection, ...events: EjectionEvent[]): Ejection =>
  events.reduce((at, event) => nextEjection(at, event, 10_000, EJECTION, half), state);
const halfOpen: Ejection = { kind: "half_open", openings: 1, probes: 0, successes: 0 };

test("three failures in a row open the circuit, a success between them forgives", () => {
  expect(after(CLOSED, "failure", "failure").kind).toBe("closed");
  expect(after(CLOSED, "failure", "failure", "failure").kind).toBe("open");
  expect(after(CLOSED, "failure", "failure", "success", "failure", "failure").kind).toBe("closed");
});

test("an answer that only began forgives nothing: a replica that breaks every stream is ejected", () => {
  const broken: EjectionEvent[] = ["dispatched", "answering", "failure"];
  expect(after(CLOSED, ...broken, ...broken, ...broken).kind).toBe("open");
});

test("two probes that are answered close the circuit", () => {
  expect(after(halfOpen, "dispatched", "answering").kind).toBe("half_open");
  expect(after(halfOpen, "dispatched", "answering", "dispatched", "answering")).toEqual(CLOSED);
});

test("a client error frees the probe's place and proves nothing", () => {
  expect(after(halfOpen, "dispatched", "no_verdict")).toEqual(halfOpen);
});

test("a failed probe opens the circuit for longer, whatever probes succeeded before it", () => {
  const reopened = after(halfOpen, "dispatched", "answering", "dispatched", "failure");
  expect(reopened).toEqual({ kind: "open", untilMs: 10_000 + EJECTION.basePauseMs * 2, openings: 2 });
});
