import { ByteReader } from "../byte-reader.ts";

/** Reads what `FrameWriter` wrote, in the same order. @throws RangeError when the bytes are something else. */
export class FrameReader {
  readonly #bytes: ByteReader;
  readonly #words: string[] = [];

  constructor(bytes: Uint8Array) {
    this.#bytes = new ByteReader(bytes);
  }

  flag(): boolean {
    return this.#bytes.byte() === 1;
  }

  count(): number {
    return this.#bytes.varint();
  }

  number(): number {
    return this.#bytes.float64();
  }

  optionalNumber(): number | null {
    return this.flag() ? this.#bytes.float64() : null;
  }

  text(): string {
    return this.#bytes.text();
  }

  optionalText(): string | null {
    return this.flag() ? this.#bytes.text() : null;
  }

  word(): string {
    const index = this.#bytes.varint();
    const known = this.#words[index];
    if (known !== undefined) return known;
    if (index !== this.#words.length) throw new RangeError(`word ${index} of ${this.#words.length}`);
    const word = this.#bytes.text();
    this.#words.push(word);
    return word;
  }

  optionalWord(): string | null {
    return this.flag() ? this.word() : null;
  }

  /** `count` values of the same kind. */
  list<T>(read: () => T): T[] {
    const count = this.count();
    const values: T[] = [];
    for (let i = 0; i < count; i++) values.push(read());
    return values;
  }

  get isAtEnd(): boolean {
    return this.#bytes.isAtEnd;
  }
}
