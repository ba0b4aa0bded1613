import { expect, test } from "vitest";
import { isDatabaseAway } from "./database-away.ts";

const coded = (code: string) => Object.assign(new Error("x"), { code });

test("connection errors say that the database is away, also inside others", () => {
  for (const code of ["ECONNREFUSED", "CONNECT_TIMEOUT", "57P03", "08006"]) {
    expect(isDatabaseAway(coded(code))).toBe(true);
  }
  expect(isDatabaseAway(new AggregateError([new Error("x"), coded("ECONNREFUSED")]))).toBe(true);
  expect(isDatabaseAway(new Error("x", { cause: coded("CONNECTION_CLOSED") }))).toBe(true);
});

test("a refused statement, and what is no error at all, does not", () => {
  for (const error of [coded("22021"), coded("42P01"), coded("080"), new Error("x"), null, "ECONNREFUSED"]) {
    expect(isDatabaseAway(error)).toBe(false);
  }
});

test("errors that are each other's cause end", () => {
  const one: Error & { cause?: unknown } = new Error("one");
  one.cause = new Error("two", { cause: one });
  expect(isDatabaseAway(one)).toBe(false);
});
