import type { Block } from "./block.ts";

/** Blocks in memory, oldest first, up to a cap; beyond it the oldest go and are counted. */
export class MemoryQueue {
  readonly #capBytes: number;
  #blocks: Block[] = [];
  #bytes = 0;
  #dropped = 0;
  /** Of the oldest blocks, those handed out: they are in somebody's hands and stay. */
  #handedOut = 0;

  constructor(capBytes: number) {
    this.#capBytes = capBytes;
  }

  get records(): number {
    return this.#blocks.reduce((sum, block) => sum + block.records, 0);
  }
  get dropped(): number {
    return this.#dropped;
  }

  push(block: Block): void {
    this.#blocks.push(block);
    this.#bytes += block.payload.length;
    while (this.#bytes > this.#capBytes && this.#blocks.length > this.#handedOut) {
      const [oldest] = this.#blocks.splice(this.#handedOut, 1);
      if (oldest === undefined) return;
      this.#bytes -= oldest.payload.length;
      this.#dropped += oldest.records;
    }
  }

  /** The oldest blocks, up to about `mostRecords` records. The same again until acknowledged. */
  peek(mostRecords: number): readonly Block[] {
    let records = 0;
    let count = 0;
    while (count < this.#blocks.length && records < mostRecords)
      records += this.#blocks[count++]?.records ?? 0;
    this.#handedOut = count;
    return this.#blocks.slice(0, count);
  }

  /** The `count` oldest blocks are stored. */
  acknowledge(count: number): void {
    for (const block of this.#blocks.splice(0, count)) this.#bytes -= block.payload.length;
    this.#handedOut = 0;
  }

  /** What was handed out was not stored. */
  release(): void {
    this.#handedOut = 0;
  }

  /** The oldest block, unless blocks are handed out. */
  oldestIdle(): Block | null {
    return this.#handedOut > 0 ? null : (this.#blocks[0] ?? null);
  }
}
