import { randomBytes, timingSafeEqual } from "node:crypto";
import { perProcess } from "./per-process.ts";

/**
 * The one-time word that lets the first person in. It is printed by the process, so only someone who can read the
 * console's output can claim a fresh console; it dies with the process and when the first admin exists.
 */
export function setupToken(): string {
  return perProcess("setup-token", () => randomBytes(24).toString("base64url"));
}

/** Whether a token someone brought is `expected`, compared in constant time. */
export function isSetupToken(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}
