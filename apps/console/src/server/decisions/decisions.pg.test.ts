import { decisionId } from "@evenkeel/db/decision-id";
import type { DecisionRecord } from "@evenkeel/db/decision-record";
import { insertDecisions } from "@evenkeel/db/decisions";
import { registerReplicas } from "@evenkeel/db/replicas";
import { type TestDb, withTestDb } from "@evenkeel/db/testing";
import type { Candidate } from "@evenkeel/scheduler/decision";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compareReasons, countByReason } from "./count-decisions.ts";
import { decisionScope } from "./decision-conditions.ts";
import { decisionFacets } from "./decision-facets.ts";
import type { DecisionFilter } from "./decision-filter.ts";
import { everyDecision, REJECTED } from "./every-decision.ts";
import { listDecisions, newerDecisions } from "./list-decisions.ts";

const T0 = Date.UTC(2026, 10, 29, 3, 0, 0);
const HOSTILE = "<img src=x onerror=alert(1)>'; drop table decisions; --";

let database: TestDb;
let sequence = 0;

function candidate(replica: string, cost: number): Candidate {
  return {
    replica,
    cost,
    terms: [cost],
    predictedTtftMs: cost,
    cachedTokens: 10,
    inFlight: 1,
    queueDepth: 0,
    running: 1,
    kvOccupancy: 0.5,
    signalAgeMs: 400,
    notes: [],
  };
}

/** A routed record with the given parts; ids of one millisecond stay in order of their making. */
function record(
  atMs: number,
  parts: Partial<Omit<DecisionRecord, "decision">> & {
    readonly decision?: Partial<DecisionRecord["decision"]>;
  } = {},
): DecisionRecord {
  sequence += 1;
  const { decision, ...rest } = parts;
  const random = new Uint8Array(10);
  new DataView(random.buffer).setUint32(0, sequence);
  return {
    id: decisionId(atMs, random),
    requestId: `req-${sequence}`,
    routerId: "rt-1",
    model: "m1",
    sessionHash: null,
    decision: {
      kind: "routed",
      requestId: `req-${sequence}`,
      decidedAtMs: atMs,
      policyRevision: 1,
      strategy: "least-request",
      pool: "stable",
      arm: null,
      baseModel: "m1",
      adapter: null,
      filtered: [],
      chosen: "a",
      segment: "s",
      reason: "shortest_wait",
      candidates: [candidate("a", 100), candidate("b", 150), candidate("c", 300)],
      predictedOutputTokens: 100,
      isPanic: false,
      ...decision,
    } as DecisionRecord["decision"], // a routed decision with some of its parts replaced
    decideUs: 30,
    heldMs: 0,
    attempts: [{ replica: "a", outcome: "completed", status: 200, durationMs: 500 }],
    outcome: "completed",
    errorCode: null,
    status: 200,
    isStreaming: true,
    promptTokensPredicted: 1000,
    promptTokens: 1000,
    cachedTokens: 250,
    outputTokens: 90,
    ttftMs: 120,
    itlMs: 20,
    durationMs: 600,
    ...rest,
  };
}

const rejected = (atMs: number, code: "saturated" | "unknown_model", model = "m1"): DecisionRecord => {
  const routed = record(atMs, {
    model,
    outcome: "rejected",
    errorCode: code,
    status: code === "saturated" ? 429 : 404,
  });
  const { decision } = routed;
  return {
    ...routed,
    attempts: [],
    ttftMs: null,
    decision: {
      kind: "rejected",
      code,
      requestId: decision.requestId,
      decidedAtMs: atMs,
      policyRevision: 1,
      strategy: decision.strategy,
      pool: null,
      arm: null,
      baseModel: code === "saturated" ? "m1" : null,
      adapter: null,
      filtered: [{ replica: "b", reason: "in_flight_limit" }],
      candidates: [],
    },
  };
};

const SECOND = 1000;

beforeAll(async () => {
  database = await withTestDb();
  await registerReplicas(
    database.db,
    ["a", "b", "c", HOSTILE].map((id) => ({
      id,
      model: "m1",
      engine: "vllm" as const,
      role: "unified" as const,
      labels: {},
      segment: "s",
    })),
  );
  const { refused } = await insertDecisions(database.db, [
    record(T0),
    record(T0 + SECOND, {
      sessionHash: "7f3a91aa",
      decision: { reason: "kept_pin", chosen: "b", candidates: [candidate("b", 400), candidate("a", 100)] },
    }),
    record(T0 + 2 * SECOND, { sessionHash: "7f3a91bb", decision: { reason: "kept_pin", policyRevision: 2 } }),
    record(T0 + 3 * SECOND, {
      outcome: "upstream_failed",
      errorCode: "upstream_failed",
      status: 502,
      ttftMs: null,
    }),
    record(T0 + 4 * SECOND, {
      model: "lora-x",
      decision: { adapter: "lora-x", strategy: "round-robin", reason: "rotation" },
    }),
    record(T0 + 5 * SECOND, {
      routerId: "rt-2",
      attempts: [{ replica: HOSTILE, outcome: "completed", status: 200, durationMs: 500 }],
      decision: {
        pool: "canary",
        chosen: HOSTILE,
        candidates: [candidate(HOSTILE, 10)],
        filtered: [{ replica: "c", reason: "draining" }],
      },
    }),
    rejected(T0 + 6 * SECOND, "saturated"),
    rejected(T0 + 7 * SECOND, "unknown_model", HOSTILE),
  ]);
  expect(refused).toEqual([]);
});

afterAll(async () => database.drop());

const every = everyDecision(T0 - SECOND, T0 + 60 * SECOND);
/** Seconds after T0 of the decisions a filter finds, newest first. */
async function found(filter: Partial<DecisionFilter>): Promise<number[]> {
  const page = await listDecisions(database.open("evenkeel_console"), { ...every, ...filter }, null, 50);
  return page.rows.map((row) => (row.decidedAtMs - T0) / SECOND);
}

test("without filters everything in the range is listed, newest first, and the end of the range is outside", async () => {
  expect(await found({})).toEqual([7, 6, 5, 4, 3, 2, 1, 0]);
  expect(await found({ fromMs: T0 + SECOND, toMs: T0 + 3 * SECOND })).toEqual([2, 1]);
});

test.each<[string, Partial<DecisionFilter>, number[]]>([
  ["replica chosen", { chosen: "b" }, [1]],
  ["replica that lost", { lost: "a" }, [1]],
  ["a filtered replica did not lose", { lost: "c" }, [4, 3, 2, 0]],
  ["session by the start of its hash", { session: "7f3a91" }, [2, 1]],
  ["session by its whole hash", { session: "7f3a91aa" }, [1]],
  ["session longer than any", { session: "7f3a91aa0" }, []],
  ["session as pattern characters", { session: "7f3a9_" }, []],
  ["reason", { reason: "kept_pin" }, [2, 1]],
  ["rejected as a reason", { reason: "rejected" }, [7, 6]],
  ["outcome", { outcome: "upstream_failed" }, [3]],
  ["error code", { errorCode: "saturated" }, [6]],
  ["revision", { revision: 2 }, [2]],
  ["strategy", { strategy: "round-robin" }, [4]],
  ["router", { router: "rt-2" }, [5]],
  ["pool", { pool: "canary" }, [5]],
  ["margin below zero: another was cheaper", { marginBelow: 0 }, [1]],
  ["margin below a limit", { marginBelow: 51 }, [4, 3, 2, 1, 0]],
  ["model", { model: "lora-x" }, [4]],
  ["base model of an adapter", { model: "m1", strategy: "round-robin" }, [4]],
  ["a model no replica serves", { model: HOSTILE }, [7]],
  ["a hostile replica id", { chosen: HOSTILE }, [5]],
  ["a replica nobody knows", { chosen: "nobody" }, []],
  ["two at once", { reason: "kept_pin", revision: 1 }, [1]],
])("filter: %s", async (_name, filter, expected) => {
  expect(await found(filter)).toEqual(expected);
});

test("a row says what was chosen, the best other, and what it cost to prefer it", async () => {
  const { rows } = await listDecisions(database.open("evenkeel_console"), { ...every, chosen: "b" }, null, 5);
  expect(rows[0]).toMatchObject({
    chosen: "b",
    bestOther: "a",
    margin: -300,
    hitRate: 0.25,
    reason: "kept_pin",
  });
});

test("an id is shown as it was sent, whatever it holds", async () => {
  const { rows } = await listDecisions(
    database.open("evenkeel_console"),
    { ...every, chosen: HOSTILE },
    null,
    5,
  );
  expect(rows[0]).toMatchObject({ chosen: HOSTILE, bestOther: null, margin: null });
});

test("pages follow each other without gap or repetition, also within one millisecond and while new ones arrive", async () => {
  const atMs = T0 + 3_600_000;
  const many = Array.from({ length: 25 }, (_, at) => record(atMs + Math.floor(at / 10)));
  await insertDecisions(database.db, many);
  const filter = everyDecision(atMs, null);
  const console_ = database.open("evenkeel_console");
  const seen: string[] = [];
  let after: string | null = null;
  let pages = 0;
  do {
    const page = await listDecisions(console_, filter, after, 7);
    seen.push(...page.rows.map((row) => row.id));
    after = page.next;
    pages += 1;
    if (pages === 2) await insertDecisions(database.db, [record(atMs + 5000)]);
  } while (after !== null && pages < 20);
  expect(seen).toEqual(
    many
      .map((one) => one.id)
      .sort()
      .reverse(),
  );
  expect(pages).toBe(4);

  const newest = seen[0] ?? null;
  const newer = await newerDecisions(console_, filter, newest, 10);
  expect(newer.rows).toHaveLength(1);
  expect(newer.isMore).toBe(false);
  expect((await newerDecisions(console_, filter, null, 10)).isMore).toBe(true);
});

test("bars add up to the count, by reason, with rejections among them", async () => {
  const histogram = await countByReason(database.open("evenkeel_console"), every, T0 + 60 * SECOND);
  expect(histogram.total).toBe(8);
  const byReason = new Map<string, number>();
  for (const { reason, count } of histogram.counts) byReason.set(reason, (byReason.get(reason) ?? 0) + count);
  expect(Object.fromEntries(byReason)).toEqual({ shortest_wait: 3, kept_pin: 2, rotation: 1, rejected: 2 });
  expect(histogram.columns).toBeLessThanOrEqual(97);
});

test("bars of whole minutes add up to the same counts as the list, whatever the filter", async () => {
  const console_ = database.open("evenkeel_console");
  const range = { ...every, fromMs: T0 - 7_200_000 };
  for (const filter of [
    {},
    { model: "m1" },
    { model: HOSTILE },
    { model: "m1", reason: REJECTED },
    { pool: "canary" },
    { chosen: "a" },
  ] satisfies Partial<DecisionFilter>[]) {
    const { rows } = await listDecisions(console_, { ...range, ...filter }, null, 50);
    const histogram = await countByReason(console_, { ...range, ...filter }, T0 + 60 * SECOND);
    expect(histogram.stepMs % 60_000).toBe(0);
    expect([filter, histogram.total]).toEqual([filter, rows.length]);
    expect(histogram.counts.every(({ bin }) => Number.isInteger(bin) && bin >= 0)).toBe(true);
  }
});

test("a filter that no decision ever had in common finds nothing, without a search among decisions", async () => {
  const console_ = database.open("evenkeel_console");
  const nothing = { ...every, pool: "nowhere" };
  expect(await decisionScope(console_, nothing)).toBeNull();
  expect(await listDecisions(console_, nothing, null, 50)).toEqual({ rows: [], next: null });
  expect(await newerDecisions(console_, nothing, null, 50)).toEqual({ rows: [], isMore: false });
  expect(await countByReason(console_, nothing, T0)).toMatchObject({ total: 0, counts: [] });
  expect(await compareReasons(console_, { ...nothing, chosen: "a" })).toMatchObject({ own: {}, others: {} });
});

test("a replica's reasons are compared with those of the others in its segment", async () => {
  const mix = await compareReasons(database.open("evenkeel_console"), { ...every, chosen: "a" });
  expect(mix).toMatchObject({
    replica: "a",
    peers: 3,
    own: { shortest_wait: 2, kept_pin: 1, rotation: 1 },
    others: { kept_pin: 1, shortest_wait: 1 },
  });
  expect(await compareReasons(database.open("evenkeel_console"), every)).toBeNull();
});

test("menus offer what is stored", async () => {
  const facets = await decisionFacets(database.open("evenkeel_console"));
  expect(facets.models).toEqual(["lora-x", "m1"]);
  expect(facets.pools).toEqual(["canary", "stable"]);
  expect(facets.replicas).toContain(HOSTILE);
  expect(facets.errorCodes).toContain("upstream_failed");
  expect(facets.routers).toEqual(["rt-1", "rt-2"]);
});
