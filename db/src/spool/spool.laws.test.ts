import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { BLOCK_HEADER_BYTES, type Block } from "./block.ts";
import { Spool } from "./spool.ts";

const MIB = 1024 * 1024;

const anyBlock: fc.Arbitrary<Block> = fc.record({
  kind: fc.constantFrom("decisions", "snapshots"),
  records: fc.integer({ min: 1, max: 50 }),
  payload: fc.uint8Array({ maxLength: 300 }),
});

function withFolder<T>(run: (dir: string) => T): T {
  const dir = mkdtempSync(join(tmpdir(), "evenkeel-spool-"));
  try {
    return run(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** All that waits, taken out. */
function drain(spool: Spool, mostRecords = 60): Block[] {
  const blocks: Block[] = [];
  for (let batch = spool.peek(mostRecords); batch !== null; batch = spool.peek(mostRecords)) {
    blocks.push(...batch.blocks.map(plain));
    spool.acknowledge();
  }
  return blocks;
}

/** A block is read as a view on its file's bytes. */
function plain(block: Block): Block {
  return { ...block, payload: Uint8Array.from(block.payload) };
}

function records(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + block.records, 0);
}

test("blocks come out in the order they went in, each once, whatever is read, acknowledged and reopened in between", () => {
  const step = fc.oneof(
    anyBlock.map((block) => ({ kind: "append" as const, block })),
    fc.constant({ kind: "acknowledge" as const }),
    fc.constant({ kind: "peek" as const }),
    fc.constant({ kind: "reopen" as const }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) =>
      withFolder((dir) => {
        // Small segments: an eighth of the cap.
        let spool = new Spool({ dir, capBytes: 16_384 });
        let waiting: Block[] = [];
        for (const each of steps) {
          if (each.kind === "append") {
            spool.append(each.block);
            waiting.push(each.block);
          } else if (each.kind === "reopen") {
            spool.close();
            spool = new Spool({ dir, capBytes: 16_384 });
          } else {
            const batch = spool.peek(40);
            expect(batch?.blocks.map(plain) ?? []).toEqual(waiting.slice(0, batch?.blocks.length ?? 0));
            if (each.kind === "acknowledge" && batch) {
              spool.acknowledge();
              waiting = waiting.slice(batch.blocks.length);
            }
          }
          expect(spool.records).toBeGreaterThanOrEqual(records(waiting));
        }
        spool.close();
        // Acknowledged blocks of a file that was not read to its end come again after a restart; none is missing.
        spool = new Spool({ dir, capBytes: 16_384 });
        const rest = drain(spool);
        expect(rest.slice(rest.length - waiting.length)).toEqual(waiting);
        expect(spool.bytes).toBe(0);
        spool.close();
      }),
    ),
  );
});

test("a file cut at any byte gives every block before the cut, and takes new ones", () => {
  fc.assert(
    fc.property(fc.array(anyBlock, { minLength: 1, maxLength: 8 }), fc.nat(), anyBlock, (blocks, at, later) =>
      withFolder((dir) => {
        const first = new Spool({ dir, capBytes: MIB });
        for (const block of blocks) first.append(block);
        first.close();
        const path = join(dir, onlyFile(dir));
        const cut = at % (readFileSync(path).length + 1);
        truncateSync(path, cut);
        const second = new Spool({ dir, capBytes: MIB });
        second.append(later);
        expect(drain(second)).toEqual([...wholeBefore(blocks, cut), later]);
        second.close();
      }),
    ),
  );
});

test("a damaged byte loses no block before it and never yields a wrong one", () => {
  fc.assert(
    fc.property(
      fc.array(anyBlock, { minLength: 1, maxLength: 8 }),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (blocks, at, flip) =>
        withFolder((dir) => {
          const first = new Spool({ dir, capBytes: MIB });
          for (const block of blocks) first.append(block);
          first.close();
          const path = join(dir, onlyFile(dir));
          const bytes = readFileSync(path);
          const position = at % bytes.length;
          bytes[position] = (bytes[position] ?? 0) ^ flip;
          writeFileSync(path, bytes);
          const second = new Spool({ dir, capBytes: MIB });
          expect(drain(second)).toEqual(wholeBefore(blocks, position));
          expect(second.discardedBytes).toBeGreaterThan(0);
          second.close();
        }),
    ),
  );
});

test("what another process leaves behind the last block is not read as one", () => {
  withFolder((dir) => {
    const block: Block = { kind: "decisions", records: 1, payload: Uint8Array.of(1, 2, 3) };
    const first = new Spool({ dir, capBytes: MIB });
    first.append(block);
    first.close();
    appendFileSync(join(dir, onlyFile(dir)), "garbage");
    const second = new Spool({ dir, capBytes: MIB });
    expect(second.discardedBytes).toBe(7);
    expect(drain(second)).toEqual([block]);
    second.close();
  });
});

test("past its cap the oldest go and are counted, and what is kept is the newest without a gap", () => {
  fc.assert(
    fc.property(fc.array(anyBlock, { minLength: 20, maxLength: 60 }), (blocks) =>
      withFolder((dir) => {
        const spool = new Spool({ dir, capBytes: 4096 });
        for (const block of blocks) {
          spool.append(block);
          expect(spool.bytes).toBeLessThanOrEqual(4096);
        }
        expect(spool.records + spool.dropped).toBe(records(blocks));
        const kept = drain(spool);
        expect(kept).toEqual(blocks.slice(blocks.length - kept.length));
        spool.close();
      }),
    ),
  );
});

test("a batch handed out while its file is dropped is neither counted as dropped nor handed out again", () => {
  withFolder((dir) => {
    const block = (records: number): Block => ({ kind: "decisions", records, payload: new Uint8Array(400) });
    const spool = new Spool({ dir, capBytes: 4096 });
    spool.append(block(7));
    expect(spool.peek(1)?.records).toBe(7);
    let appended = 0;
    for (; spool.records + spool.dropped === appended + 7; appended++) spool.append(block(1));
    spool.acknowledge();
    expect(spool.records + spool.dropped).toBe(appended);
    expect(records(drain(spool))).toBe(appended - spool.dropped);
    spool.close();
  });
});

test("a drained spool leaves nothing on disk", () => {
  withFolder((dir) => {
    const spool = new Spool({ dir, capBytes: MIB });
    for (let i = 0; i < 100; i++)
      spool.append({ kind: "decisions", records: 1, payload: new Uint8Array(5000) });
    expect(spool.bytes).toBeGreaterThan(400_000);
    drain(spool);
    expect(spool.bytes).toBe(0);
    spool.close();
    expect(readdirSync(dir)).toEqual([]);
  });
});

test("a second writer on the same folder is told whose it is", () => {
  withFolder((dir) => {
    const spool = new Spool({ dir, capBytes: MIB });
    expect(() => new Spool({ dir, capBytes: MIB })).toThrow("DATA_DIR of its own");
    spool.close();
    new Spool({ dir, capBytes: MIB }).close();
  });
});

function onlyFile(dir: string): string {
  const [name] = readdirSync(dir).filter((each) => each.endsWith(".spool"));
  if (name === undefined) throw new Error("no segment was written");
  return name;
}

function wholeBefore(blocks: readonly Block[], byte: number): Block[] {
  let end = 0;
  return blocks.filter((block) => {
    end += BLOCK_HEADER_BYTES + block.payload.length;
    return end <= byte;
  });
}
