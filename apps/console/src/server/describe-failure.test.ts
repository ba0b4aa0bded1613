import { DbError } from "@evenkeel/db/db-error";
import { TRPCError } from "@trpc/server";
import { expect, test } from "vitest";
import { describeFailure, isStoreAway } from "./describe-failure.ts";

test.each([
  Object.assign(new Error("x"), { code: "ECONNREFUSED" }),
  Object.assign(new Error("x"), { code: "57P01" }),
  new Error("wrapped", { cause: Object.assign(new Error("x"), { code: "CONNECTION_CLOSED" }) }),
  Object.assign(new AggregateError([Object.assign(new Error("x"), { code: "ECONNREFUSED" })]), {}),
  new TRPCError({
    code: "INTERNAL_SERVER_ERROR",
    cause: Object.assign(new Error("x"), { code: "CONNECT_TIMEOUT" }),
  }),
])("a database that is away is told as that, however deep the cause lies", (error) => {
  expect(isStoreAway(error)).toBe(true);
  expect(describeFailure(error)).toMatchObject({ code: "SERVICE_UNAVAILABLE", reason: "store_unavailable" });
});

test("a driver's message is never shown", () => {
  const failure = describeFailure(new Error('relation "secret" does not exist'));
  expect(failure).toMatchObject({ code: "INTERNAL_SERVER_ERROR", isOurFault: true });
  expect(failure.message).not.toContain("secret");
});

test("a refusal of the store reaches the person with its words", () => {
  const error = new DbError("unknown_revision", "There is no policy revision 9 to roll back to.");
  expect(describeFailure(new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause: error }))).toMatchObject({
    code: "NOT_FOUND",
    reason: "unknown_revision",
    message: error.message,
    isOurFault: false,
  });
});

test.each(["22021", "22P05"])("text that Postgres cannot hold (%s) is the caller's to correct", (code) => {
  const cause = Object.assign(new Error("x"), { code });
  expect(describeFailure(new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause }))).toMatchObject({
    code: "BAD_REQUEST",
    reason: "invalid_input",
    isOurFault: false,
  });
});

test("a cause that leads back to itself ends", () => {
  const error = new Error("x");
  error.cause = error;
  expect(isStoreAway(error)).toBe(false);
});
