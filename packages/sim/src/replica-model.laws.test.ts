import fc from "fast-check";
import { expect, test } from "vitest";
import { ReplicaModel } from "./replica-model.ts";
import type { ReplicaParameters } from "./replica-parameters.ts";
import { presetNamed } from "./replica-presets.ts";
import type { ModelRequest, Sequence } from "./sequence.ts";

const small: ReplicaParameters = {
  ...presetNamed("llama-8b-rtx4090"),
  kvBlocks: 40,
  maxBatchedTokens: 64,
  maxSequences: 6,
  adapters: { slots: 2, cpuSlots: 3, warmLoadMs: 5, coldLoadMs: 40, stepShare: 0.01 },
};

interface Arrival {
  readonly atMs: number;
  readonly request: ModelRequest;
}

const arrivals: fc.Arbitrary<Arrival[]> = fc
  .array(
    fc.record({
      gapMs: fc.double({ min: 0, max: 200, noNaN: true }),
      promptTokens: fc.integer({ min: 1, max: 400 }),
      outputTokens: fc.integer({ min: 1, max: 120 }),
      family: fc.nat(3),
      adapter: fc.option(fc.constantFrom("a", "b", "c", "d"), { nil: null }),
    }),
    { minLength: 1, maxLength: 30 },
  )
  .map((list) => {
    let atMs = 0;
    return list.map(({ gapMs, promptTokens, outputTokens, family, adapter }, index) => {
      atMs += gapMs;
      const blockHashes = Array.from(
        { length: Math.floor(promptTokens / 16) },
        (_, block) => family * 1000 + block,
      );
      return { atMs, request: { id: `q${index}`, promptTokens, outputTokens, blockHashes, adapter } };
    });
  });

/** Runs a workload to its end; returns a log of what happened when. */
function run(
  workload: readonly Arrival[],
  abortEvery = 0,
): { model: ReplicaModel; log: string[]; done: Sequence[] } {
  const model = new ReplicaModel(small);
  const log: string[] = [];
  const done: Sequence[] = [];
  let next = 0;
  let nowMs = 0;
  const enqueueUntil = (untilMs: number): void => {
    for (
      let arrival = workload[next];
      arrival !== undefined && arrival.atMs <= untilMs;
      arrival = workload[next]
    ) {
      model.enqueue(arrival.request, arrival.atMs);
      next += 1;
      if (abortEvery > 0 && next % abortEvery === 0)
        model.abort(workload[Math.floor(next / 2)]?.request.id ?? "");
    }
  };
  for (;;) {
    enqueueUntil(nowMs);
    const endsAtMs = model.beginStep(nowMs);
    if (endsAtMs === null) {
      const arrival = workload[next];
      if (arrival === undefined) break;
      nowMs = arrival.atMs;
      continue;
    }
    expect(endsAtMs).toBeGreaterThan(nowMs);
    enqueueUntil(endsAtMs);
    nowMs = endsAtMs;
    for (const sequence of model.endStep()) {
      log.push(`${nowMs} ${sequence.request.id} ${sequence.outputTokens}`);
      if (sequence.state === "finished") done.push(sequence);
    }
  }
  return { model, log, done };
}

test("every request finishes with exactly its tokens, and every block comes back", () => {
  fc.assert(
    fc.property(arrivals, (workload) => {
      const { model, log, done } = run(workload);
      expect(done).toHaveLength(workload.length);
      const wanted = workload.reduce((sum, { request }) => sum + request.outputTokens, 0);
      expect(log).toHaveLength(wanted);
      expect(model.totals.outputTokens).toBe(wanted);
      expect(model.running + model.queueDepth).toBe(0);
      expect(model.kvFreeBlocks).toBe(small.kvBlocks);
    }),
  );
});

test("equal inputs give the same tokens at the same times", () => {
  fc.assert(
    fc.property(arrivals, (workload) => {
      expect(run(workload).log).toEqual(run(workload).log);
    }),
  );
});

test("the cache never serves the whole prompt: the last token is computed", () => {
  fc.assert(
    fc.property(arrivals, (workload) => {
      for (const { cachedTokens, request } of run(workload).done) {
        expect(cachedTokens).toBeGreaterThanOrEqual(0);
        expect(cachedTokens).toBeLessThan(request.promptTokens);
        expect(cachedTokens % small.blockTokens).toBe(0);
      }
    }),
  );
});

test("aborted requests give everything back and the others still finish", () => {
  fc.assert(
    fc.property(arrivals, fc.integer({ min: 2, max: 4 }), (workload, abortEvery) => {
      const { model } = run(workload, abortEvery);
      expect(model.running + model.queueDepth).toBe(0);
      expect(model.kvFreeBlocks).toBe(small.kvBlocks);
    }),
  );
});
