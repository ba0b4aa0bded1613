import { expect, test } from "vitest";
import { hashSession } from "./session-hash.ts";

test("a session has one hash under one key, also when thousands came in between", () => {
  const first = hashSession("s", "key");
  expect(first).toMatch(/^[0-9a-f]{16}$/);
  const others = new Set(Array.from({ length: 10_000 }, (_, i) => hashSession(`other ${i}`, "key")));
  expect(others.size).toBe(10_000);
  expect(others.has(first)).toBe(false);
  expect(hashSession("s", "key")).toBe(first);
});

test("another key gives another hash of the same session, in any order of asking", () => {
  const one = hashSession("s", "one");
  const two = hashSession("s", "two");
  expect(two).not.toBe(one);
  expect(hashSession("s", "one")).toBe(one);
});
