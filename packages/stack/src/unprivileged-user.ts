import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { StackError } from "./stack-error.ts";

export interface UnixUser {
  uid: number;
  gid: number;
}

/**
 * The account Postgres must run under, or null when the present one will do. Postgres refuses to run as root, so as root
 * it is the owner of an existing cluster, else `postgres` where the system has it, else `nobody`.
 */
export function postgresUser(clusterDir: string): UnixUser | null {
  if (process.getuid?.() !== 0) return null;
  if (existsSync(clusterDir)) {
    const owner = statSync(clusterDir);
    if (owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  }
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  for (const name of ["postgres", "nobody"]) {
    const entry = users.find((fields) => fields[0] === name);
    if (entry) return { uid: Number(entry[2]), gid: Number(entry[3]) };
  }
  throw new StackError(
    "postgres_failed",
    "Postgres does not run as root and this system has neither a `postgres` nor a `nobody` account: add one, start as another user, or set DATABASE_URL.",
  );
}

/** Whether `user` may walk down to `path`: a folder such as /root (mode 0700) on the way hides everything below it. */
export function canReach(path: string, user: UnixUser): boolean {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    if (existsSync(folder)) {
      const { mode, uid, gid } = statSync(folder);
      const execute = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
      if ((mode & execute) === 0) return false;
    }
    if (folder === dirname(folder)) return true;
  }
}
