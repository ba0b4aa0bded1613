import type { Replica } from "@evenkeel/scheduler/replica";
import type { Db } from "./connect.ts";

/**
 * Makes the fleet known, or known again. Replicas that are not named are left as they are: another router may serve them;
 * say `removeReplicas` of those that left. Their URLs stay with the router.
 */
export async function registerReplicas(db: Db, replicas: readonly Replica[]): Promise<void> {
  if (replicas.length === 0) return;
  await db.sql`
    insert into replicas (id, model, engine, role, labels, segment)
    select * from unnest(${replicas.map((r) => r.id)}::text[], ${replicas.map((r) => r.model)}::text[],
      ${replicas.map((r) => r.engine)}::text[], ${replicas.map((r) => r.role)}::text[],
      ${replicas.map((r) => JSON.stringify(r.labels))}::text[]::jsonb[], ${replicas.map((r) => r.segment)}::text[])
    order by 1
    on conflict (id) do update set model = excluded.model, engine = excluded.engine, role = excluded.role,
      labels = excluded.labels, segment = excluded.segment, last_seen_at = now(), removed_at = null`;
}

/** Marks replicas as gone from the fleet; what is recorded of them stays. */
export async function removeReplicas(db: Db, ids: readonly string[]): Promise<void> {
  await db.sql`update replicas set removed_at = now() where id = any(${[...ids]}::text[]) and removed_at is null`;
}
