import { seededRng } from "@evenkeel/scheduler/rng";
import { expect, test } from "vitest";
import { ReplicaModel } from "../replica-model.ts";
import { presetNamed } from "../replica-presets.ts";
import type { ModelRequest } from "../sequence.ts";
import { type BoundCandidate, chooseByBound } from "./bound.ts";

function request(id: string, promptTokens: number, outputTokens = 50): ModelRequest {
  const blockHashes = Array.from({ length: Math.floor(promptTokens / 16) }, (_, index) => index + 1);
  return { id, promptTokens, outputTokens, blockHashes, adapter: null };
}

function idle(id: string): BoundCandidate {
  return { id, model: new ReplicaModel(presetNamed("llama-8b-h100")), underway: [] };
}

/** A candidate that has computed a long prompt and still answers `busyWith` others. */
function warm(id: string, busyWith: number): BoundCandidate {
  const candidate = idle(id);
  candidate.model.enqueue(request("before", 8000, 1), 0);
  for (let i = 0; i < busyWith; i += 1) {
    candidate.model.enqueue({ ...request(`other-${i}`, 64, 1000), blockHashes: [] }, 0);
  }
  while (candidate.model.beginStep(0) !== null && candidate.model.endStep().length === 0);
  return candidate;
}

const rng = (): (() => number) => seededRng(1);

test("cache-only goes to the warmest replica however busy, load-only to the emptiest however cold", () => {
  const candidates = [idle("cold"), warm("warm", 40)];
  expect(chooseByBound("cache-only", request("q", 8000), candidates, rng())).toBe("warm");
  expect(chooseByBound("load-only", request("q", 8000), candidates, rng())).toBe("cold");
});

test("the oracle weighs the saved prefill against the busy batch", () => {
  expect(chooseByBound("oracle", request("q", 8000), [idle("cold"), warm("warm", 2)], rng())).toBe("warm");
  expect(
    chooseByBound(
      "oracle",
      { ...request("q", 64), blockHashes: [] },
      [idle("cold"), warm("warm", 40)],
      rng(),
    ),
  ).toBe("cold");
});

test("requests on their way count as load", () => {
  const candidates = [{ ...idle("a"), underway: [request("u", 100)] }, idle("b")];
  expect(chooseByBound("load-only", request("q", 100), candidates, rng())).toBe("b");
  expect(chooseByBound("oracle", request("q", 100), candidates, rng())).toBe("b");
});

test("ties are broken by the random numbers, and without candidates nothing is chosen", () => {
  const candidates = [idle("a"), idle("b")];
  const chosen = new Set(
    Array.from({ length: 20 }, (_, seed) =>
      chooseByBound("load-only", request("q", 9), candidates, seededRng(seed)),
    ),
  );
  expect(chosen).toEqual(new Set(["a", "b"]));
  expect(chooseByBound("oracle", request("q", 9), [], rng())).toBeNull();
});
