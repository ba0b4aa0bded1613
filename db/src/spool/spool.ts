import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type Block, sealBlock } from "./block.ts";
import { Segment } from "./segment.ts";
import { lockSpool } from "./spool-lock.ts";

export interface SpoolOptions {
  /** A folder of the spool's own; made when missing. */
  readonly dir: string;
  /** Most bytes on disk; beyond it the oldest records go. */
  readonly capBytes: number;
}

/** The oldest blocks, handed out until they are acknowledged. */
export interface SpoolBatch {
  readonly blocks: readonly Block[];
  readonly records: number;
}

const MOST_SEGMENT_BYTES = 8 * 1024 * 1024;
const FILE = /^\d{12}\.spool$/;

/**
 * A first-in-first-out queue of blocks on disk. A block that was appended survives the death of the process at any byte;
 * what the kernel had not yet written out is lost with the machine. Bounded: past its cap the oldest records are dropped
 * and counted. Synchronous, so it belongs on a thread of its own.
 */
export class Spool {
  readonly #options: SpoolOptions;
  readonly #unlock: () => void;
  /** Oldest first; the last one is appended to unless it is sealed. */
  #segments: Segment[] = [];
  #nextNumber = 1;
  #handedOut: { segment: Segment; bytes: number; records: number } | null = null;
  #dropped = 0;
  #discardedBytes = 0;

  /** @throws DbError spool_in_use, or the file system's error */
  constructor(options: SpoolOptions) {
    this.#options = options;
    mkdirSync(options.dir, { recursive: true, mode: 0o700 });
    this.#unlock = lockSpool(options.dir);
    try {
      this.#recover();
    } catch (error) {
      this.#unlock();
      throw error;
    }
  }

  /** Records waiting, those handed out included. */
  get records(): number {
    return this.#segments.reduce((sum, segment) => sum + segment.records, 0);
  }
  /** Size on disk. */
  get bytes(): number {
    return this.#segments.reduce((sum, segment) => sum + segment.bytes, 0);
  }
  /** Records dropped because the cap was reached. */
  get dropped(): number {
    return this.#dropped;
  }
  /** Bytes found torn or damaged, whose records are lost. */
  get discardedBytes(): number {
    return this.#discardedBytes;
  }

  /**
   * Appends a block, whole or not at all.
   * @throws the file system's error, as when the disk is full: the block is then still the caller's
   */
  append(block: Block): void {
    const sealed = sealBlock(block);
    if (sealed.length > this.#options.capBytes) {
      this.#dropped += block.records;
      return;
    }
    this.#writable(sealed.length).append(sealed, block.records);
    // Counted with the new block: a moment above the cap is better than dropping for a block that then does not fit the disk.
    while (this.bytes > this.#options.capBytes) this.#dropOldest();
  }

  /** The oldest blocks, up to about `mostRecords` records; null when nothing waits. The same again until acknowledged. */
  peek(mostRecords: number): SpoolBatch | null {
    for (;;) {
      const segment = this.#segments[0];
      if (segment === undefined) return null;
      if (segment.isRead) {
        if (!segment.isSealed) return null;
        this.#segments.shift();
        segment.remove();
        continue;
      }
      const { blocks, bytes, records } = segment.peek(mostRecords);
      this.#handedOut = { segment, bytes, records };
      if (blocks.length > 0) return { blocks, records };
      this.#discardedBytes += bytes;
      this.acknowledge();
    }
  }

  /** What `peek` returned last is stored: it need not be kept. */
  acknowledge(): void {
    const done = this.#handedOut;
    this.#handedOut = null;
    // Its segment may have been dropped meanwhile.
    if (done === null || !this.#segments.includes(done.segment)) return;
    done.segment.advance(done.bytes, done.records);
    if (done.segment.isRead && done.segment.isSealed) {
      this.#segments = this.#segments.filter((segment) => segment !== done.segment);
      done.segment.remove();
    }
  }

  /** Closes the files; what waits stays for the next process. */
  close(): void {
    for (const segment of this.#segments) {
      if (segment.records === 0) segment.remove();
      else segment.close();
    }
    this.#segments = [];
    this.#unlock();
  }

  #recover(): void {
    for (const name of readdirSync(this.#options.dir)
      .filter((each) => FILE.test(each))
      .sort()) {
      const { segment, discardedBytes } = Segment.recover(join(this.#options.dir, name));
      this.#discardedBytes += discardedBytes;
      this.#nextNumber = Number(name.slice(0, 12)) + 1;
      if (segment.records === 0) segment.remove();
      else this.#segments.push(segment);
    }
  }

  #writable(bytes: number): Segment {
    const last = this.#segments.at(-1);
    // An eighth of the cap, so that dropping the oldest segment drops no more than that.
    const most = Math.min(MOST_SEGMENT_BYTES, this.#options.capBytes / 8);
    if (last && !last.isSealed && (last.bytes === 0 || last.bytes + bytes <= most)) return last;
    last?.seal();
    const segment = Segment.create(this.#pathOf(this.#nextNumber++));
    this.#segments.push(segment);
    return segment;
  }

  #dropOldest(): void {
    const oldest = this.#segments.shift();
    if (oldest === undefined) return;
    // Blocks that are handed out are in somebody's hands, not lost.
    const inHand = this.#handedOut?.segment === oldest ? this.#handedOut.records : 0;
    this.#dropped += oldest.records - inHand;
    oldest.remove();
  }

  #pathOf(number: number): string {
    return join(this.#options.dir, `${String(number).padStart(12, "0")}.spool`);
  }
}
