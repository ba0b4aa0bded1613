import { ByteWriter } from "../byte-writer.ts";

/** Writes values one after another; words that come again within a block are written once. */
export class FrameWriter {
  readonly #bytes = new ByteWriter();
  readonly #words = new Map<string, number>();

  flag(value: boolean): void {
    this.#bytes.byte(value ? 1 : 0);
  }

  count(value: number): void {
    this.#bytes.varint(value);
  }

  number(value: number): void {
    this.#bytes.float64(value);
  }

  optionalNumber(value: number | null): void {
    this.flag(value !== null);
    if (value !== null) this.#bytes.float64(value);
  }

  text(value: string): void {
    this.#bytes.text(value);
  }

  optionalText(value: string | null): void {
    this.flag(value !== null);
    if (value !== null) this.#bytes.text(value);
  }

  /** A text that is likely to come again. */
  word(value: string): void {
    const known = this.#words.get(value);
    this.#bytes.varint(known ?? this.#words.size);
    if (known !== undefined) return;
    this.#words.set(value, this.#words.size);
    this.#bytes.text(value);
  }

  optionalWord(value: string | null): void {
    this.flag(value !== null);
    if (value !== null) this.word(value);
  }

  get length(): number {
    return this.#bytes.length;
  }

  /** Runs `write`; when it throws, what it wrote is taken back, so that what was written before stays readable. */
  attempt(write: () => void): void {
    const length = this.#bytes.length;
    const words = this.#words.size;
    try {
      write();
    } catch (error) {
      this.#bytes.truncate(length);
      for (const [word, index] of this.#words) if (index >= words) this.#words.delete(word);
      throw error;
    }
  }

  /** Takes out a copy of what was written and starts anew. */
  take(): Uint8Array<ArrayBuffer> {
    const bytes = this.#bytes.written().slice();
    this.#bytes.truncate(0);
    this.#words.clear();
    return bytes;
  }
}
