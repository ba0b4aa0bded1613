import { expect, test } from "vitest";
import { faultWords } from "./fault-words.ts";

test("a failed query is logged without its parameters, with its cause and code", () => {
  const cause = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  const error = new Error('Failed query: select "id" from "auth_sessions"\nparams: s3cret-token', { cause });
  const words = faultWords(error);
  expect(words).not.toContain("s3cret-token");
  expect(words).toContain('select "id" from "auth_sessions"');
  expect(words).toContain("ECONNREFUSED");
});

test("what is no error is still a word, and a circle of causes ends", () => {
  expect(faultWords({ params: "secret" })).toBe("unknown failure");
  const error = new Error("x");
  error.cause = error;
  expect(faultWords(error)).toBe("Error: x");
});
