import { type TestDb, withTestDb } from "@evenkeel/db/testing";
import { TRPCError } from "@trpc/server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ZodError, z } from "zod";
import type { DecisionFilter } from "#server/decisions/decision-filter.ts";
import { everyDecision } from "#server/decisions/every-decision.ts";
import { callerFactory } from "#server/trpc.ts";
import { appRouter } from "./index.ts";

const T0 = Date.UTC(2026, 10, 29);
/** A well-formed id of the year 10889. */
const FAR_ID = `dec_7${"z".repeat(25)}`;

let store: TestDb;
beforeAll(async () => {
  store = await withTestDb();
});
afterAll(() => store.drop());

function console_() {
  const viewer = { userId: "u", name: "n", email: "n@example.com", role: "viewer" as const };
  return callerFactory(appRouter)({
    db: store.open("evenkeel_console"),
    viewer: () => Promise.resolve(viewer),
    freshViewer: () => Promise.resolve(viewer),
    requestId: "test",
    address: null,
  });
}

/** What a refused call says; fails when it is answered or breaks. */
async function refusal(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof TRPCError) || error.code !== "BAD_REQUEST" || !(error.cause instanceof ZodError))
    throw new Error("expected a refusal of the input", { cause: error });
  return z.prettifyError(error.cause);
}

const HOSTILE: readonly (readonly [keyof DecisionFilter, Partial<DecisionFilter>])[] = [
  ...(["model", "pool", "chosen", "lost", "session", "errorCode", "router"] as const).map(
    (field) => [field, { [field]: "a\0b" }] as const,
  ),
  ["fromMs", { fromMs: -1 }],
  ["fromMs", { fromMs: Number.MAX_SAFE_INTEGER }],
  ["toMs", { toMs: -8_640_000_000_000_001 }],
  ["toMs", { toMs: 8_640_000_000_000_000 }],
  ["revision", { revision: 2_147_483_648 }],
  ["revision", { revision: -2_147_483_649 }],
  ["marginBelow", { marginBelow: 1e308 }],
  ["marginBelow", { marginBelow: -1e308 }],
];

test.each(HOSTILE)(
  "%s out of range (%j) is refused by name, on every procedure that filters",
  async (field, parts) => {
    const { decisions } = console_();
    const filter = { ...everyDecision(T0, null), ...parts };
    for (const call of [
      decisions.list({ filter }),
      decisions.newer({ filter, since: null }),
      decisions.histogram({ filter }),
      decisions.mix({ filter }),
    ]) {
      expect(await refusal(call)).toContain(`filter.${field}`);
    }
  },
);

test("an id of a time no decision can have is no id", async () => {
  const { decisions } = console_();
  const filter = everyDecision(T0, null);
  expect(await refusal(decisions.list({ filter, cursor: FAR_ID }))).toContain("cursor");
  expect(await refusal(decisions.newer({ filter, since: FAR_ID }))).toContain("since");
  expect(await refusal(decisions.byId({ id: FAR_ID }))).toContain("at id");
});

test.each([
  { fromMs: 0, toMs: Date.UTC(2200, 0, 1) },
  { fromMs: Date.UTC(2200, 0, 1) },
  { revision: 2_147_483_647 },
  { marginBelow: 1e-300 },
  { marginBelow: -1e30 },
  { model: "'; drop table decisions; --", session: "%_\u{10FFFF}" },
] satisfies Partial<DecisionFilter>[])(
  "the ends of what is allowed, such as %j, are answered",
  async (parts) => {
    const { decisions } = console_();
    const filter = { ...everyDecision(T0, null), ...parts };
    expect(await decisions.list({ filter })).toEqual({ rows: [], next: null });
    expect(await decisions.histogram({ filter })).toMatchObject({ total: 0 });
  },
);

test("a replica is asked for with a name and times that can be stored", async () => {
  const { fleet } = console_();
  expect(await refusal(fleet.replica({ id: "a\0b", fromMs: T0, toMs: T0 + 1 }))).toContain("id");
  expect(await refusal(fleet.replica({ id: "a", fromMs: -1e15, toMs: T0 }))).toContain("fromMs");
});
