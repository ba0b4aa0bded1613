import { expect, test } from "vitest";
import { AttemptLimit } from "./attempt-limit.ts";

const limit = () => new AttemptLimit({ max: 3, windowMs: 1_000, maxKeys: 2 });

test("after so many failures a key waits until its window ends, and others do not", () => {
  const attempts = limit();
  for (let i = 0; i < 3; i += 1) {
    expect(attempts.waitMs("a", 100)).toBe(0);
    attempts.failed("a", 100);
  }
  expect(attempts.waitMs("a", 400)).toBe(700);
  expect(attempts.waitMs("b", 400)).toBe(0);
  expect(attempts.waitMs("a", 1_100)).toBe(0);
});

test("a new window begins with a clean count", () => {
  const attempts = limit();
  for (let i = 0; i < 3; i += 1) attempts.failed("a", 0);
  attempts.failed("a", 1_000);
  expect(attempts.waitMs("a", 1_001)).toBe(0);
});

test("success forgets the failures", () => {
  const attempts = limit();
  for (let i = 0; i < 3; i += 1) attempts.failed("a", 0);
  attempts.succeeded("a");
  expect(attempts.waitMs("a", 1)).toBe(0);
});

test("keys made up by the thousand cost no more memory than the bound", () => {
  const attempts = limit();
  for (let i = 0; i < 3; i += 1) attempts.failed("first", 0);
  for (let i = 0; i < 100; i += 1) attempts.failed(`made-up-${i}`, 0);
  expect(attempts.waitMs("first", 1)).toBe(0);
});
