import postgres from "postgres";
import { clientOptions, type Db } from "./connect.ts";
import { POLICY_CHANNEL } from "./policy-revisions.ts";

export interface PolicyListener {
  /** Ends the connection; no hint comes after it resolves. */
  close(): Promise<void>;
}

/**
 * Calls `onHint` when a policy may have been published: on every notification, and each time the connection is made
 * or made again, because what was announced in between is gone. A hint only: the listener must read the live
 * revision, and poll besides. Uses a connection of its own, which a pooler in transaction mode would swallow silently.
 * Never throws: while the database is away it tries again, at most every ten seconds.
 */
export function listenPolicy(db: Db, onHint: () => void): PolicyListener {
  let closed = false;
  const sql = postgres(db.url, {
    ...clientOptions({ url: db.url, role: db.role, applicationName: "evenkeel policy listener", max: 1 }),
    backoff: (retries: number) => Math.min(10, 0.25 * 2 ** retries),
  });
  const hint = () => {
    if (!closed) onHint();
  };
  // The driver subscribes again after every lost or failed connection, the first one included, and then calls the
  // third argument; the promise tells of the first attempt only.
  sql.listen(POLICY_CHANNEL, hint, hint).catch(() => {});
  return {
    close: async () => {
      closed = true;
      await sql.end({ timeout: 1 });
    },
  };
}
