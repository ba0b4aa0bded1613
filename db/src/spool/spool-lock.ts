import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DbError } from "../db-error.ts";

const held = new Set<string>();

/**
 * Keeps a second process out of a spool's folder. A lock whose process is gone is taken over: start times tell a process
 * from a later one with its id, which in a container is the rule.
 * @returns gives the lock back
 * @throws DbError spool_in_use
 */
export function lockSpool(dir: string): () => void {
  const path = join(dir, "lock");
  if (held.has(path)) throw inUse(dir, process.pid);
  const owner = ownerOf(path);
  if (owner !== null && owner.pid !== process.pid && startOf(owner.pid) === owner.start)
    throw inUse(dir, owner.pid);
  rmSync(path, { force: true });
  const fd = openSync(path, "wx", 0o600);
  writeSync(fd, `${process.pid} ${startOf(process.pid) ?? ""}`);
  closeSync(fd);
  held.add(path);
  return () => {
    held.delete(path);
    rmSync(path, { force: true });
  };
}

function inUse(dir: string, pid: number): DbError {
  return new DbError(
    "spool_in_use",
    `The spool ${dir} belongs to process ${pid}. Give each router a DATA_DIR of its own.`,
  );
}

function ownerOf(path: string): { pid: number; start: string | null } | null {
  try {
    const [pid, start] = readFileSync(path, "utf8").split(" ");
    return { pid: Number(pid), start: start || null };
  } catch {
    return null;
  }
}

/** When a process started, in the kernel's ticks; null when it is gone or the system does not say. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may hold spaces; the start time is the 20th field after it.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}
