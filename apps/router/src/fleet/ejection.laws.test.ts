import fc from "fast-check";
import { expect, test } from "vitest";
import {
  acceptsRequests,
  CLOSED,
  EJECTION,
  type Ejection,
  type EjectionEvent,
  nextEjection,
} from "./ejection.ts";

const half = () => 0.5;
const event = fc.constantFrom<EjectionEvent>(
  "dispatched",
  "answering",
  "success",
  "failure",
  "no_verdict",
  "tick",
);
const step = fc.tuple(event, fc.integer({ min: 0, max: 20_000 }));

function run(steps: readonly (readonly [EjectionEvent, number])[]): { state: Ejection; nowMs: number }[] {
  let state: Ejection = CLOSED;
  let nowMs = 0;
  return steps.map(([event, waitMs]) => {
    nowMs += waitMs;
    state = nextEjection(state, event, nowMs, EJECTION, half);
    return { state, nowMs };
  });
}

test("no pause is longer than the maximum or over before it began", () => {
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      for (const { state, nowMs } of run(steps)) {
        if (state.kind === "open")
          expect(state.untilMs - nowMs).toBeLessThanOrEqual(EJECTION.maxPauseMs * 1.1);
      }
    }),
  );
});

test("client errors, clients that left and saturation alone never open a circuit", () => {
  const harmless = fc.tuple(fc.constantFrom<EjectionEvent>("dispatched", "no_verdict", "tick"), fc.nat(1000));
  fc.assert(
    fc.property(fc.array(harmless), (steps) => {
      for (const { state } of run(steps)) expect(state).toBe(CLOSED);
    }),
  );
});

test("an open circuit takes nothing, whatever late answers say, until its pause is over", () => {
  fc.assert(
    fc.property(fc.array(event), (events) => {
      let state: Ejection = { kind: "open", untilMs: 1_000, openings: 1 };
      for (const each of events) state = nextEjection(state, each, 999, EJECTION, half);
      expect(acceptsRequests(state, EJECTION)).toBe(false);
    }),
  );
});

test("half open, at most the configured probes are out at once", () => {
  fc.assert(
    fc.property(fc.array(event), (events) => {
      let state: Ejection = { kind: "half_open", openings: 1, probes: 0, successes: 0 };
      for (const each of events) {
        // A request is only sent where it is accepted.
        if (each === "dispatched" && !acceptsRequests(state, EJECTION)) continue;
        state = nextEjection(state, each, 1_000, EJECTION, half);
        if (state.kind === "half_open") expect(state.probes).toBeLessThanOrEqual(EJECTION.probesAtOnce);
      }
    }),
  );
});
