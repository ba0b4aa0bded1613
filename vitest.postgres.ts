import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startPostgres } from "./packages/stack/src/postgres.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** A superuser's URL of a throw-away Postgres; `inject("postgresUrl")` reads it in a test. */
    postgresUrl: string;
  }
}

/** One throw-away Postgres for all test files; EVENKEEL_TEST_POSTGRES_URL uses an existing one instead. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.EVENKEEL_TEST_POSTGRES_URL;
  if (given) {
    project.provide("postgresUrl", given);
    return async () => {};
  }
  const dataDir = mkdtempSync(join(tmpdir(), "evenkeel-test-"));
  chmodSync(dataDir, 0o755);
  const postgres = await startPostgres({ dataDir, sync: false });
  project.provide("postgresUrl", postgres.url);
  return async () => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}
