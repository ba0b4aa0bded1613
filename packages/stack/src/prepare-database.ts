import { migrateDatabase } from "@evenkeel/db/migrate";
import { StackError } from "./stack-error.ts";

/**
 * Brings the database to this release's schema before anything uses it, so that a database that cannot be used is said
 * at once. The first policy of an empty one is the router's to publish.
 *
 * @throws StackError database_failed
 */
export async function prepareDatabase(databaseUrl: string): Promise<void> {
  try {
    await migrateDatabase(databaseUrl);
  } catch (cause) {
    const { host, pathname } = new URL(databaseUrl);
    throw new StackError(
      "database_failed",
      `The database at ${host}${pathname} (DATABASE_URL) cannot be used: ${reason(cause)}`,
      { cause },
    );
  }
}

function reason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reason).join(", ");
  return error instanceof Error ? error.message : String(error);
}
