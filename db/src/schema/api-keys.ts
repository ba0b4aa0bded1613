import { integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { bytea } from "./bytea.ts";

/** Keys of the routers' clients. The key itself is shown once and kept nowhere. */
export const apiKeys = pgTable("api_keys", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  /** SHA-256 of the key. Keys are long and random, so a plain hash is as good as a slow one. */
  keyHash: bytea("key_hash").notNull().unique(),
  /** Most requests of the key in flight on one router; null: no limit of its own. */
  maxInFlight: integer("max_in_flight"),
  createdBy: text("created_by").notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
  /** From then on it is refused; null while it is good. */
  revokedAt: timestamp("revoked_at", { withTimezone: true }),
});
