import type { Replica } from "@evenkeel/scheduler/replica";
import type { Db } from "./connect.ts";
import { storableText } from "./storable-text.ts";

/**
 * Makes the fleet known, or known again. Replicas that are not named are left as they are: another router may serve them;
 * say `removeReplicas` of those that left. Their URLs stay with the router.
 */
export async function registerReplicas(db: Db, replicas: readonly Replica[]): Promise<void> {
  if (replicas.length === 0) return;
  const texts = (of: (replica: Replica) => string) => replicas.map((replica) => storableText(of(replica)));
  await db.sql`
    insert into replicas (id, model, engine, role, labels, segment)
    select * from unnest(${texts((r) => r.id)}::text[], ${texts((r) => r.model)}::text[],
      ${texts((r) => r.engine)}::text[], ${texts((r) => r.role)}::text[],
      ${texts((r) => labelsText(r.labels))}::text[]::jsonb[], ${texts((r) => r.segment)}::text[])
    order by 1
    on conflict (id) do update set model = excluded.model, engine = excluded.engine, role = excluded.role,
      labels = excluded.labels, segment = excluded.segment, last_seen_at = now(), removed_at = null`;
}

/** A NUL would hide in JSON's escapes, where only the database would find it. */
function labelsText(labels: Replica["labels"]): string {
  const storable = Object.entries(labels).map(([name, value]) => [storableText(name), storableText(value)]);
  return JSON.stringify(Object.fromEntries(storable));
}

/** Marks replicas as gone from the fleet; what is recorded of them stays. */
export async function removeReplicas(db: Db, ids: readonly string[]): Promise<void> {
  await db.sql`update replicas set removed_at = now() where id = any(${ids.map(storableText)}::text[]) and removed_at is null`;
}
