import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    globalSetup: ["./vitest.postgres.ts"],
    include: ["{apps,packages}/*/src/**/*.test.{ts,tsx}", "{db,bench}/src/**/*.test.ts"],
    // Real sockets and a real Postgres on two cores: give slow machines room; nothing here measures time.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    dangerouslyIgnoreUnhandledErrors: false,
    benchmark: { include: ["{apps,packages}/*/src/**/*.bench.ts"] },
  },
});
