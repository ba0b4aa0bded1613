import { randomFillSync } from "node:crypto";
import { decisionId } from "@evenkeel/db/decision-id";

const RANDOM_BYTES = 10;
const pool = Buffer.alloc(RANDOM_BYTES * 256);
let used = pool.length;

/** A new decision id. Its random bytes are drawn for 256 ids at a time: a system call each would cost more than the id. */
export function newDecisionId(nowMs: number): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += RANDOM_BYTES;
  return decisionId(nowMs, pool.subarray(used - RANDOM_BYTES, used));
}
