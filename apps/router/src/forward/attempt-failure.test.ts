import { expect, test } from "vitest";
import { FAILURE_RULES, outcomeOfEarlyError, readRetryAfter } from "./attempt-failure.ts";

test("nothing that happens after the first byte may be retried, and no client's doing is a replica's fault", () => {
  for (const outcome of [
    "completed",
    "client_gone",
    "client_error",
    "broken_stream",
    "idle_timeout",
  ] as const) {
    expect(FAILURE_RULES[outcome].mayRetry).toBe(false);
  }
  for (const outcome of ["client_gone", "client_error", "engine_saturated"] as const) {
    expect(FAILURE_RULES[outcome].blame).toBe("none");
  }
});

test("Retry-After is read as seconds or as a date, and capped", () => {
  const nowMs = Date.parse("2026-01-01T00:00:00Z");
  expect(readRetryAfter("7", nowMs)).toBe(7_000);
  expect(readRetryAfter("Thu, 01 Jan 2026 00:00:30 GMT", nowMs)).toBe(30_000);
  expect(readRetryAfter("Thu, 01 Jan 2025 00:00:00 GMT", nowMs)).toBe(0);
  expect(readRetryAfter("86400", nowMs)).toBe(300_000);
  expect(readRetryAfter("soon", nowMs)).toBeNull();
  expect(readRetryAfter(undefined, nowMs)).toBeNull();
});

test("an error on a connection that never carried the request is a failed connect", () => {
  const refused = Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
  const reset = Object.assign(new Error("reset"), { code: "ECONNRESET" });
  expect(outcomeOfEarlyError(refused, true)).toBe("connect_failed");
  expect(outcomeOfEarlyError(reset, false)).toBe("connect_failed");
  expect(outcomeOfEarlyError(reset, true)).toBe("reset_before_first_byte");
});
