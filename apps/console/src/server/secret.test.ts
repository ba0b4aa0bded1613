import { mkdtempSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sessionSecret } from "./secret.ts";

const folder = () => mkdtempSync(join(tmpdir(), "console-secret-"));

test("a given secret is used as it is and nothing is written", () => {
  const dir = folder();
  expect(sessionSecret("g".repeat(32), join(dir, "none"))).toBe("g".repeat(32));
  expect(() => statSync(join(dir, "none"))).toThrow();
});

test("without one, a secret is made once, for this user's eyes only, and a restart keeps it", () => {
  const dir = join(folder(), "deeper");
  const first = sessionSecret(undefined, dir);
  expect(first.length).toBeGreaterThanOrEqual(32);
  expect(sessionSecret(undefined, dir)).toBe(first);
  expect(statSync(join(dir, "console-secret")).mode & 0o777).toBe(0o600);
});

test("a damaged secret file is an error, not a silent sign-out of everyone", () => {
  const dir = folder();
  writeFileSync(join(dir, "console-secret"), "short\n");
  expect(() => sessionSecret(undefined, dir)).toThrow();
});
