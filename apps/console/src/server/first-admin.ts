import type { Db } from "@evenkeel/db/connect";
import { authAccounts, authUsers } from "@evenkeel/db/schema/auth";
import { hashPassword } from "better-auth/crypto";
import { sql } from "drizzle-orm";

interface NewAdmin {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

/** Whether nobody can sign in yet. */
export async function needsSetup(db: Db): Promise<boolean> {
  const found = await db.orm.select({ id: authUsers.id }).from(authUsers).limit(1);
  return found.length === 0;
}

/** Makes the first person, an admin. Answers false when there is somebody already, however many ask at once. */
export async function createFirstAdmin(db: Db, admin: NewAdmin): Promise<boolean> {
  const password = await hashPassword(admin.password);
  return db.orm.transaction(async (tx) => {
    // One at a time: two empty reads side by side would both make an admin.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('evenkeel.first_admin'))`);
    const found = await tx.select({ id: authUsers.id }).from(authUsers).limit(1);
    if (found.length > 0) return false;
    const id = crypto.randomUUID();
    await tx
      .insert(authUsers)
      .values({ id, name: admin.name, email: admin.email.toLowerCase(), role: "admin" });
    await tx
      .insert(authAccounts)
      .values({ id: crypto.randomUUID(), accountId: id, providerId: "credential", userId: id, password });
    return true;
  });
}
