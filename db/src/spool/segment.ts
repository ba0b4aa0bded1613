import { closeSync, fstatSync, ftruncateSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { BLOCK_HEADER_BYTES, type Block, openBlock, sealedLength } from "./block.ts";

/** One file of the spool: blocks are appended at its end and read from its start. */
export class Segment {
  readonly path: string;
  readonly #fd: number;
  #length: number;
  #readAt = 0;
  /** Records not read past yet. */
  #records = 0;
  #isSealed = false;

  private constructor(path: string, fd: number, length: number) {
    this.path = path;
    this.#fd = fd;
    this.#length = length;
  }

  /** @throws the file system's error */
  static create(path: string): Segment {
    return new Segment(path, openSync(path, "ax+", 0o600), 0);
  }

  /** Opens what a process before left. A torn block at the end, and all after a damaged one, is cut off. */
  static recover(path: string): { segment: Segment; discardedBytes: number } {
    const fd = openSync(path, "r+");
    const length = fstatSync(fd).size;
    const segment = new Segment(path, fd, length);
    let whole = 0;
    for (let block = segment.#blockAt(whole); block !== null; block = segment.#blockAt(whole)) {
      whole += block.bytes;
      segment.#records += block.block.records;
    }
    segment.#length = whole;
    segment.#isSealed = true;
    return { segment, discardedBytes: length - whole };
  }

  get bytes(): number {
    return this.#length;
  }
  get records(): number {
    return this.#records;
  }
  get isSealed(): boolean {
    return this.#isSealed;
  }
  get isRead(): boolean {
    return this.#readAt >= this.#length;
  }

  /**
   * Appends a sealed block, whole or not at all.
   * @throws the file system's error, as when the disk is full
   */
  append(sealed: Buffer, records: number): void {
    let written = 0;
    try {
      while (written < sealed.length) {
        written += writeSync(this.#fd, sealed, written, sealed.length - written);
      }
    } catch (error) {
      this.#cutTornTail();
      throw error;
    }
    this.#length += sealed.length;
    this.#records += records;
  }

  /** No more is appended. */
  seal(): void {
    this.#isSealed = true;
  }

  /** Blocks from where reading stands, until they hold `mostRecords`; at least one unless all are read. */
  peek(mostRecords: number): { blocks: Block[]; bytes: number; records: number } {
    const blocks: Block[] = [];
    let bytes = 0;
    let records = 0;
    while (records < mostRecords && this.#readAt + bytes < this.#length) {
      const next = this.#blockAt(this.#readAt + bytes);
      // Damaged after it was written, as by another process: what lies behind cannot be found.
      if (next === null) return { blocks, bytes: this.#length - this.#readAt, records: this.#records };
      blocks.push(next.block);
      bytes += next.bytes;
      records += next.block.records;
    }
    return { blocks, bytes, records };
  }

  /** Moves past what `peek` returned. */
  advance(bytes: number, records: number): void {
    this.#readAt += bytes;
    this.#records -= records;
    if (!this.isRead || this.#isSealed) return;
    // All is read: start over at the beginning, so that in ordinary times the spool takes no room.
    ftruncateSync(this.#fd, 0);
    this.#length = 0;
    this.#readAt = 0;
  }

  close(): void {
    closeSync(this.#fd);
  }

  remove(): void {
    closeSync(this.#fd);
    unlinkSync(this.path);
  }

  #cutTornTail(): void {
    try {
      ftruncateSync(this.#fd, this.#length);
    } catch {
      // Recovery finds the torn block by its checksum; nothing may follow it.
      this.#isSealed = true;
    }
  }

  #blockAt(offset: number): { block: Block; bytes: number } | null {
    const header = this.#read(offset, BLOCK_HEADER_BYTES);
    const bytes = sealedLength(header);
    if (bytes === null || offset + bytes > this.#length) return null;
    const block = openBlock(this.#read(offset, bytes));
    return block === null ? null : { block, bytes };
  }

  #read(offset: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, this.#length - offset)));
    let read = 0;
    while (read < bytes.length) {
      const count = readSync(this.#fd, bytes, read, bytes.length - read, offset + read);
      if (count === 0) break;
      read += count;
    }
    return bytes.subarray(0, read);
  }
}
