import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

beforeEach(() => {
  vi.resetModules();
  vi.stubEnv("DATABASE_URL", "postgres://console@127.0.0.1/evenkeel");
});
afterEach(() => vi.unstubAllEnvs());

async function settings() {
  // Settings are read once per process: each test takes the module anew.
  const { env } = await import("./env.ts");
  return env();
}

test("without the setting no proxy is trusted, and an empty one is none", async () => {
  expect((await settings()).CONSOLE_TRUSTED_PROXIES).toEqual([]);
  vi.resetModules();
  vi.stubEnv("CONSOLE_TRUSTED_PROXIES", "");
  expect((await settings()).CONSOLE_TRUSTED_PROXIES).toEqual([]);
});

test("trusted proxies are addresses and networks separated by commas", async () => {
  vi.stubEnv("CONSOLE_TRUSTED_PROXIES", "127.0.0.1, 10.0.0.0/8,2001:db8::/32");
  expect((await settings()).CONSOLE_TRUSTED_PROXIES).toEqual(["127.0.0.1", "10.0.0.0/8", "2001:db8::/32"]);
});

test.each(["all", "10.0.0.0/33", "proxy.example", "127.0.0.1;10.0.0.1"])(
  "%j as a trusted proxy stops the start, with the variable's name",
  async (value) => {
    vi.stubEnv("CONSOLE_TRUSTED_PROXIES", value);
    await expect(settings()).rejects.toThrow(/CONSOLE_TRUSTED_PROXIES.*10\.0\.0\.0\/8/);
  },
);

test("the settings page and the console know the same variables", () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
  const names = (text: string, pattern: RegExp) =>
    new Set([...text.matchAll(pattern)].map(([, name]) => name));
  const own = names(read("./env.ts"), /^ {2}(CONSOLE_[A-Z_]+):/gm);
  // The start sets HOSTNAME and PORT of the console from variables of its own.
  const start = names(read("../../../packages/stack/src/stack-settings.ts"), /^ {2}(CONSOLE_[A-Z_]+):/gm);
  const documented = names(read("../../../docs/quickstart.md"), /`(CONSOLE_[A-Z_]+)`/g);
  expect(own.size).toBeGreaterThan(3);
  expect([...documented].sort()).toEqual([...new Set([...own, ...start])].sort());
});
