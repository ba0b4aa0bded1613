import { type DatabaseRole, openDb } from "@evenkeel/db/connect";
import { DbError } from "@evenkeel/db/db-error";
import { migrateDatabase, schemaStatus } from "@evenkeel/db/migrate";
import { seedPolicy } from "@evenkeel/db/policy-revisions";
import { canActAs } from "@evenkeel/db/roles";
import type { Logger } from "pino";
import type { FirstPolicy } from "./policy/first-policy.ts";

const ROLE: DatabaseRole = "evenkeel_router";

/**
 * Brings a database to this release's schema and gives an empty one its first policy, both with the rights of the
 * URL's user: the router's own role may do neither. A user that may not change the schema is fine when somebody
 * else has brought it up to date.
 * @returns the role to work with; null when the server has no such role for this user
 * @throws what the database throws while it is away or unusable
 */
export async function prepareDatabase(
  url: string,
  firstPolicy: FirstPolicy,
  logger: Logger,
): Promise<DatabaseRole | null> {
  const db = openDb({ url, applicationName: "evenkeel router start", max: 1 });
  try {
    await migrate(url, logger);
    if ((await schemaStatus(db.sql)) === "behind") {
      throw new DbError("database_behind", "The database's schema is older than this release needs.");
    }
    const isSeeder = await mayPublish(db.sql);
    if (isSeeder) {
      const seeded = await seedPolicy(db, firstPolicy);
      if (seeded.kind === "seeded")
        logger.info({ revision: seeded.revision }, "the first policy was published");
    }
    return (await canActAs(db.sql, ROLE)) ? ROLE : null;
  } finally {
    await db.close();
  }
}

async function migrate(url: string, logger: Logger): Promise<void> {
  try {
    const { applied } = await migrateDatabase(url);
    if (applied > 0) logger.info({ applied }, "the database's schema was brought up to date");
  } catch (error) {
    if (!(error instanceof DbError && error.code === "database_rights")) throw error;
  }
}

async function mayPublish(sql: ReturnType<typeof openDb>["sql"]): Promise<boolean> {
  const rows = await sql<{ may: boolean }[]>`select has_table_privilege('policy_revisions', 'insert') as may`;
  return rows[0]?.may ?? false;
}
