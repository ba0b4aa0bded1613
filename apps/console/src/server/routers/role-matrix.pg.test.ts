import { type TestDb, withTestDb } from "@evenkeel/db/testing";
import { type AnyProcedure, TRPCError } from "@trpc/server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import type { Context, Viewer } from "#server/context.ts";
import { allows, ROLES, type Role } from "#server/role.ts";
import { role } from "#server/role-schema.ts";
import { callerFactory } from "#server/trpc.ts";
import { appRouter } from "./index.ts";

let store: TestDb;
beforeAll(async () => {
  store = await withTestDb();
});
afterAll(() => store.drop());

// At run time the router lists its procedures flat, by dotted path; its type shows them as a tree.
const FLAT = appRouter._def.procedures as unknown as Readonly<Record<string, AnyProcedure>>;
const PROCEDURES = Object.entries(FLAT).map(([path, procedure]) => ({
  path,
  type: procedure._def.type,
  access: accessOf(procedure._def.meta),
}));

function accessOf(meta: unknown): Role | "public" | null {
  return (
    z
      .object({ access: z.union([role, z.literal("public")]) })
      .nullable()
      .catch(null)
      .parse(meta)?.access ?? null
  );
}

function contextOf(role: Role | null): Context {
  const viewer: Viewer | null =
    role === null ? null : { userId: "u", name: "n", email: "n@example.com", role };
  return {
    db: store.open("evenkeel_console"),
    viewer: () => Promise.resolve(viewer),
    freshViewer: () => Promise.resolve(viewer),
    requestId: "test",
    address: null,
  };
}

/** Calls a procedure without input and answers with the code it failed with, or null. */
async function call(path: string, as: Role | null): Promise<string | null> {
  const caller = callerFactory(appRouter)(contextOf(as));
  // The caller is a tree of functions under the dotted path.
  let node: unknown = caller;
  for (const part of path.split(".")) node = (node as Record<string, unknown>)[part];
  try {
    await (node as (input: unknown) => Promise<unknown>)(undefined);
    return null;
  } catch (error) {
    return error instanceof TRPCError ? error.code : "not a TRPCError";
  }
}

test("every procedure says who may call it", () => {
  expect(PROCEDURES.filter((procedure) => procedure.access === null)).toEqual([]);
  expect(PROCEDURES.length).toBeGreaterThan(8);
});

test("nothing but the set-up is open to strangers, and nothing that changes something is open to viewers", () => {
  expect(PROCEDURES.filter(({ access }) => access === "public").map(({ path }) => path)).toEqual([
    "setup.isNeeded",
    "setup.createAdmin",
    "setup.invitee",
    "setup.acceptInvitation",
  ]);
  const openWrites = PROCEDURES.filter(({ type, access }) => type === "mutation" && access === "viewer");
  expect(openWrites).toEqual([]);
});

test.each(PROCEDURES)(
  "$path is closed to everyone below its role and open above",
  async ({ path, access }) => {
    if (access === null) throw new Error("no access declared");
    const stranger = await call(path, null);
    expect(stranger === "UNAUTHORIZED").toBe(access !== "public");
    for (const role of ROLES) {
      const code = await call(path, role);
      const isAllowed = access === "public" || allows(role, access);
      expect({ role, isRefused: code === "FORBIDDEN" }).toEqual({ role, isRefused: !isAllowed });
      expect(code).not.toBe("UNAUTHORIZED");
      expect(code).not.toBe("INTERNAL_SERVER_ERROR");
    }
  },
);

test("a role taken away counts at the next change, though the session's copy still has it", async () => {
  const admin: Viewer = { userId: "u", name: "n", email: "n@example.com", role: "admin" };
  const demoted: Viewer = { ...admin, role: "viewer" };
  const caller = callerFactory(appRouter)({
    db: store.open("evenkeel_console"),
    viewer: () => Promise.resolve(admin),
    freshViewer: () => Promise.resolve(demoted),
    requestId: "test",
    address: null,
  });
  await expect(
    caller.policies.publish({ source: "version: 1", baseRevision: 1, reason: "r" }),
  ).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
});
