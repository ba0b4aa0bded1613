import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";

/** The group roles that hold each application's rights; see `roles.ts`. */
export const DATABASE_ROLES = ["evenkeel_router", "evenkeel_console"] as const;
export type DatabaseRole = (typeof DATABASE_ROLES)[number];

export interface OpenDbOptions {
  /** postgres://user:password@host:port/database */
  readonly url: string;
  /** Rights to act with; absent or null: those of the URL's user. The user must be a member of the role. */
  readonly role?: DatabaseRole | null;
  /** Shown in pg_stat_activity. */
  readonly applicationName?: string;
  /** Most connections of each of the two clients. */
  readonly max?: number;
}

/** An open database. Connections are made when first used: opening neither waits for the server nor fails without it. */
export interface Db {
  readonly url: string;
  readonly role: DatabaseRole | null;
  /** postgres.js as it is, for batches and transactions. */
  readonly sql: postgres.Sql;
  /** Drizzle, for the queries of a screen. Its client is its own: Drizzle alters how the client it is given reads values. */
  readonly orm: PostgresJsDatabase;
  /** Waits for running queries, five seconds at most unless told otherwise. */
  close(limitSeconds?: number): Promise<void>;
}

/** Options of every postgres.js client of ours. */
export function clientOptions(options: OpenDbOptions): postgres.Options<Record<string, never>> {
  return {
    max: options.max ?? 5,
    connect_timeout: 5,
    // A connection is given back now and then, so that a failed-over or re-balanced server is noticed.
    max_lifetime: 30 * 60,
    onnotice: () => {},
    connection: {
      application_name: options.applicationName ?? "evenkeel",
      TimeZone: "UTC",
      // Acts with the role's rights from the first statement on: one URL serves every program.
      ...(options.role ? { role: options.role } : {}),
    },
  };
}

/** Opens a database. Does not touch the network. */
export function openDb(options: OpenDbOptions): Db {
  const sql = postgres(options.url, clientOptions(options));
  const ormClient = postgres(options.url, clientOptions(options));
  return {
    url: options.url,
    role: options.role ?? null,
    sql,
    orm: drizzle(ormClient),
    close: async (limitSeconds = 5) => {
      await Promise.all([sql.end({ timeout: limitSeconds }), ormClient.end({ timeout: limitSeconds })]);
    },
  };
}
