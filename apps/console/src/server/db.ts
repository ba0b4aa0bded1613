import "server-only";
import { type Db, openDb } from "@evenkeel/db/connect";
import { env } from "#env.ts";
import { perProcess } from "./per-process.ts";

/** The console's one connection pool. Opening does not connect: a database that is down fails the query, not the start. */
export function db(): Db {
  return perProcess("db", () =>
    openDb({
      url: env().DATABASE_URL,
      role: "evenkeel_console",
      applicationName: "evenkeel-console",
      max: 8,
    }),
  );
}
