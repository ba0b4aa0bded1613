import type { Db } from "./connect.ts";
import type { DecisionRecord } from "./decision-record.ts";

/** Writes records in one round; those whose id is stored already are ignored. @returns how many were new. */
export async function insertDecisions(_db: Db, _records: readonly DecisionRecord[]): Promise<number> {
  throw new Error("insertDecisions is not written yet");
}

/** Rebuilds a record exactly as it was inserted (numbers to 32-bit precision), null when there is none. */
export async function readDecision(_db: Db, _id: string): Promise<DecisionRecord | null> {
  throw new Error("readDecision is not written yet");
}
