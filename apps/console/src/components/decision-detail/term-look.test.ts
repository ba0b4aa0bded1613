import { STRATEGY_CATALOG } from "@evenkeel/scheduler/catalog";
import type { Candidate } from "@evenkeel/scheduler/decision";
import { expect, test } from "vitest";
import { signalAge, termBasis, termLooks } from "./term-look.ts";

const candidate: Candidate = {
  replica: "a",
  cost: 1,
  terms: [1],
  predictedTtftMs: 1,
  cachedTokens: 40,
  inFlight: 3,
  queueDepth: null,
  running: null,
  kvOccupancy: null,
  signalAgeMs: 1900,
  notes: [],
};

test("every term of every strategy in the catalog has a colour of its own, a unit and a help text", () => {
  for (const { type, terms } of STRATEGY_CATALOG) {
    const looks = termLooks(
      type,
      terms.map((term) => term.name),
    );
    expect(looks.map((look) => look.name)).toEqual(terms.map((term) => term.name));
    expect(new Set(looks.map((look) => look.colour)).size).toBe(terms.length);
    expect(looks.every((look) => look.unit !== "" && look.help !== "")).toBe(true);
  }
});

test("a term that the strategy has lost since is still shown under its stored name", () => {
  const [look] = termLooks("predicted-cost", ["gone-since"]);
  expect(look).toMatchObject({ name: "gone-since", index: 0, unit: "ms" });
});

test("what a term rests on says what is missing instead of showing zero", () => {
  expect(termBasis("wait", candidate, 100).what).toBe("3 in flight, ? queued");
  expect(termBasis("prefill", candidate, 100).what).toBe("60 uncached tok");
  expect(termBasis("decode", candidate, 100).what).toBe("? running, KV –");
  expect(termBasis("a-new-term", candidate, 100)).toEqual({ what: "", age: "engine 1.9 s" });
  expect(signalAge({ ...candidate, signalAgeMs: null })).toBe("no signal");
});
