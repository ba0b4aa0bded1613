import type { Db } from "./connect.ts";

export interface PolicyAck {
  readonly routerId: string;
  readonly revision: number;
  readonly status: "applied" | "refused";
  /** Why it was refused. */
  readonly problem?: string | null;
}

/** A router's word that it applied or refused a revision. */
export async function acknowledgePolicy(db: Db, ack: PolicyAck): Promise<void> {
  await db.sql`
    insert into policy_acks (router_id, revision, status, problem, acked_at)
    values (${ack.routerId}, ${ack.revision}, ${ack.status}, ${ack.problem ?? null}, clock_timestamp())
    on conflict do nothing`;
}
