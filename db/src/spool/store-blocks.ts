import type { Db } from "../connect.ts";
import type { DecisionRecord } from "../decision-record.ts";
import { insertDecisions } from "../decisions.ts";
import { insertReplicaSnapshots } from "../replica-snapshots.ts";
import type { Block } from "./block.ts";
import { decisionsOf, snapshotsOf } from "./record-block.ts";

export interface StoredBlocks {
  /** Records in the database now; those that were there before count too. */
  stored: number;
  /** Records no row can hold, with the last problem. */
  refused: number;
  problem: string | null;
}

/**
 * Stores blocks. Data the database will never take is sought out by halving its batch and refused by itself, so that one
 * bad record cannot hold up all that come after it.
 * @throws the driver's error when the database is away or refuses for another reason than the data
 */
export async function storeBlocks(db: Db, blocks: readonly Block[]): Promise<StoredBlocks> {
  const result: StoredBlocks = { stored: 0, refused: 0, problem: null };
  const decisions: DecisionRecord[] = [];
  for (const block of blocks) {
    if (block.kind === "decisions") decisions.push(...readable(block, decisionsOf, result));
    else {
      const snapshots = readable(block, snapshotsOf, result);
      await store(snapshots, async (part) => void (await insertReplicaSnapshots(db, part)), result);
    }
  }
  await store(
    decisions,
    async (part) => {
      const { refused } = await insertDecisions(db, part);
      for (const { problem } of refused) refuse(result, problem);
      // Counted below with the whole part.
      result.stored -= refused.length;
    },
    result,
  );
  return result;
}

async function store<T>(
  records: readonly T[],
  insert: (part: readonly T[]) => Promise<void>,
  result: StoredBlocks,
): Promise<void> {
  if (records.length === 0) return;
  try {
    await insert(records);
    result.stored += records.length;
  } catch (error) {
    if (!isAboutData(error)) throw error;
    if (records.length === 1) {
      refuse(result, error instanceof Error ? error.message : String(error));
      return;
    }
    const half = Math.ceil(records.length / 2);
    await store(records.slice(0, half), insert, result);
    await store(records.slice(half), insert, result);
  }
}

function readable<T>(block: Block, read: (block: Block) => T[], result: StoredBlocks): T[] {
  try {
    return read(block);
  } catch (error) {
    for (let i = 0; i < block.records; i++)
      refuse(result, error instanceof Error ? error.message : String(error));
    return [];
  }
}

function refuse(result: StoredBlocks, problem: string): void {
  result.refused++;
  result.problem = problem;
}

/** Data exceptions, broken constraints and exceeded limits: classes 22, 23 and 54. Our own range errors as well. */
function isAboutData(error: unknown): boolean {
  if (error instanceof RangeError || error instanceof TypeError) return true;
  return (
    error instanceof Error &&
    "code" in error &&
    typeof error.code === "string" &&
    /^(22|23|54)/.test(error.code)
  );
}
