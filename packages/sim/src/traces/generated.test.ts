import { expect, test } from "vitest";
import { engineBlockHashes } from "../engine-blocks.ts";
import {
  overlayAdapters,
  powerUserSessions,
  SHARED_PREFIX_DEFAULTS,
  sharedPrefixTrace,
  toolAgentTrace,
} from "./generated.ts";

const short = { ratePerSecond: 20, durationMs: 60_000, seed: 4 };

test("tenants share their prompt and nothing else", () => {
  const requests = sharedPrefixTrace({ ...SHARED_PREFIX_DEFAULTS, ...short, groups: 3 });
  expect(requests.length).toBeGreaterThan(1000);
  const prefixes = new Set(requests.map(({ blockIds }) => Array.from(blockIds).slice(0, 94).join()));
  expect(prefixes.size).toBe(3);
  const rest = requests.flatMap(({ blockIds }) => Array.from(blockIds).slice(94));
  expect(new Set(rest).size).toBe(rest.length);
  for (const { promptTokens, blockIds } of requests)
    expect(blockIds.length).toBe(Math.ceil(promptTokens / 64));
});

test("a power user's turn begins with the turn before", () => {
  const [user] = powerUserSessions({
    users: 1,
    turns: 5,
    startTokens: [24_000, 80_000],
    turnTokens: 400,
    outputTokens: 100,
    thinkMs: 1000,
    seed: 2,
  });
  const prompts = user?.steps.flatMap((step) =>
    step.kind === "request" ? [Array.from(step.request.blockIds)] : [],
  );
  expect(prompts).toHaveLength(5);
  for (let turn = 1; turn < 5; turn += 1) {
    const before = prompts?.[turn - 1] ?? [];
    expect(prompts?.[turn]?.slice(0, before.length)).toEqual(before);
    expect(prompts?.[turn]?.length).toBeGreaterThan(before.length);
  }
});

test("tool traffic has the stated shares, and comes on 3 s ticks", () => {
  const requests = toolAgentTrace({ ...short, durationMs: 300_000 });
  const startingWith = (id: number): number => requests.filter(({ blockIds }) => blockIds[0] === id).length;
  expect(startingWith(1) / requests.length).toBeCloseTo(0.42, 1);
  expect(startingWith(200) / requests.length).toBeCloseTo(0.13, 1);
  expect(requests.every(({ atMs }) => atMs % 3000 === 0)).toBe(true);
});

test("an adapter belongs to a session, and keeps its prefixes apart in the engine", () => {
  const requests = toolAgentTrace(short);
  const adapted = overlayAdapters(requests, { adapters: 5, skew: 1, share: 1, seed: 1 });
  const bySession = new Map<string, Set<string | null>>();
  for (const { sessionKey, adapter } of adapted) {
    if (sessionKey === null) continue;
    bySession.set(sessionKey, (bySession.get(sessionKey) ?? new Set()).add(adapter));
  }
  expect([...bySession.values()].every((adapters) => adapters.size === 1)).toBe(true);
  const [request] = adapted;
  if (request === undefined) throw new Error("no request");
  const [one, two] = [engineBlockHashes(request, 1, 16), engineBlockHashes(request, 2, 16)];
  expect(one.some((hash) => two.includes(hash))).toBe(false);
});

test("engine blocks of any size share exactly the full blocks within the common trace blocks", () => {
  const request = (promptTokens: number, blockIds: number[], blockTokens: number) => ({
    atMs: 0,
    promptTokens,
    outputTokens: 1,
    blockIds,
    blockTokens,
    sessionKey: null,
    adapter: null,
  });
  const shared = (a: Float64Array, b: Float64Array): number => {
    let count = 0;
    while (count < a.length && a[count] === b[count]) count += 1;
    return count;
  };
  const cut = (ids: number[], tokens: number): Float64Array =>
    engineBlockHashes(request(tokens, ids, 512), 0, 16);
  expect(cut([1, 2], 1000)).toHaveLength(62);
  expect(shared(cut([1, 2], 1000), cut([1, 2, 3], 1100))).toBe(62);
  expect(shared(cut([1, 2], 1024), cut([1, 3], 1024))).toBe(32);
  const joined = (ids: number[]): Float64Array => engineBlockHashes(request(16 * ids.length, ids, 16), 0, 64);
  expect(shared(joined([1, 2, 3, 4, 5, 6, 7, 8]), joined([1, 2, 3, 4, 5, 6, 7, 9]))).toBe(1);
});
