import { expect, test } from "vitest";
import { AttemptLimit } from "./attempt-limit.ts";

const limit = () => new AttemptLimit({ max: 3, windowMs: 1_000, maxKeys: 2 });

test("after so many attempts a key waits until its window ends, and others do not", () => {
  const attempts = limit();
  for (let i = 0; i < 3; i += 1) expect(attempts.reserve("a", 100).kind).toBe("counted");
  expect(attempts.reserve("a", 400)).toEqual({ kind: "wait", waitMs: 700 });
  expect(attempts.reserve("b", 400).kind).toBe("counted");
  expect(attempts.reserve("a", 1_100).kind).toBe("counted");
});

test("a new window begins with a clean count", () => {
  const attempts = limit();
  for (let i = 0; i < 3; i += 1) attempts.reserve("a", 0);
  for (let i = 0; i < 3; i += 1) expect(attempts.reserve("a", 1_000).kind).toBe("counted");
  expect(attempts.reserve("a", 1_001).kind).toBe("wait");
});

test("success forgets the failures", () => {
  const attempts = limit();
  for (let i = 0; i < 3; i += 1) attempts.reserve("a", 0);
  attempts.succeeded("a");
  expect(attempts.reserve("a", 1).kind).toBe("counted");
});

test("a released attempt makes room for one other, however often it is released", () => {
  const attempts = limit();
  const first = attempts.reserve("a", 0);
  for (let i = 0; i < 2; i += 1) attempts.reserve("a", 0);
  if (first.kind !== "counted") throw new Error("the first attempt was not counted");
  first.release();
  first.release();
  expect(attempts.reserve("a", 1).kind).toBe("counted");
  expect(attempts.reserve("a", 1).kind).toBe("wait");
});

test("keys made up by the thousand cost no more memory than the bound", () => {
  const attempts = limit();
  for (let i = 0; i < 3; i += 1) attempts.reserve("first", 0);
  for (let i = 0; i < 100; i += 1) attempts.reserve(`made-up-${i}`, 0);
  expect(attempts.reserve("first", 1).kind).toBe("counted");
});
