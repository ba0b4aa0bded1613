import { readFileSync } from "node:fs";
import { openDb } from "@evenkeel/db/connect";
import { migrateDatabase } from "@evenkeel/db/migrate";
import { seedPolicy } from "@evenkeel/db/policy-revisions";
import { parse } from "yaml";
import { StackError } from "./stack-error.ts";

const SMALLEST_POLICY = `version: 1
models:
  - name: "*"
    strategy: { type: predicted-cost }
`;

/**
 * Brings a database to this release's schema and gives an empty one its first policy, with the rights of the URL's user:
 * the router's role may not publish.
 *
 * @throws StackError database_failed | configuration
 */
export async function prepareDatabase(databaseUrl: string, policyFile: string | null): Promise<void> {
  const source = policyFile === null ? SMALLEST_POLICY : readPolicy(policyFile);
  let document: unknown;
  try {
    document = parse(source);
  } catch (cause) {
    throw new StackError("configuration", `POLICY_FILE ${policyFile} is not YAML: ${reason(cause)}`, {
      cause,
    });
  }
  const db = openDb({ url: databaseUrl, applicationName: "evenkeel start" });
  try {
    await migrateDatabase(databaseUrl);
    const seeded = await seedPolicy(db, { document, source });
    if (seeded.kind === "invalid") {
      const problems = seeded.problems.map(({ path, message }) => `${path.join(".")}: ${message}`);
      throw new StackError(
        "configuration",
        `POLICY_FILE ${policyFile} is not a policy:\n${problems.join("\n")}`,
      );
    }
  } catch (cause) {
    if (cause instanceof StackError) throw cause;
    const { host, pathname } = new URL(databaseUrl);
    throw new StackError(
      "database_failed",
      `The database at ${host}${pathname} (DATABASE_URL) cannot be used: ${reason(cause)}`,
      {
        cause,
      },
    );
  } finally {
    await db.close();
  }
}

function readPolicy(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new StackError("configuration", `POLICY_FILE cannot be read: ${reason(cause)}`, { cause });
  }
}

function reason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reason).join(", ");
  return error instanceof Error ? error.message : String(error);
}
