const utf8 = new TextEncoder();

/** Bytes that grow as they are written. */
export class ByteWriter {
  #bytes = new Uint8Array(512);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** A non-negative safe integer, seven bits a byte, low bits first. */
  varint(value: number): void {
    let rest = value;
    while (rest >= 128) {
      this.byte((rest % 128) | 128);
      rest = Math.floor(rest / 128);
    }
    this.byte(rest);
  }

  float32(value: number): void {
    this.#reserve(4);
    this.#view.setFloat32(this.#length, value);
    this.#length += 4;
  }

  float64(value: number): void {
    this.#reserve(8);
    this.#view.setFloat64(this.#length, value);
    this.#length += 8;
  }

  /** Text in UTF-8 with its length in front. Halves of surrogate pairs become U+FFFD. */
  text(value: string): void {
    this.#reserve(value.length * 3 + 5);
    if (this.#ascii(value)) return;
    const bytes = utf8.encode(value);
    this.varint(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Forgets what was written after the first `length` bytes and keeps the room it took. */
  truncate(length: number): void {
    this.#length = length;
  }

  get length(): number {
    return this.#length;
  }

  /** What was written; a view that the next write may change. */
  written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Ids and names are short and plain: copying their characters is several times faster than an encoder. */
  #ascii(value: string): boolean {
    const start = this.#length;
    this.varint(value.length);
    for (let i = 0; i < value.length; i++) {
      const code = value.charCodeAt(i);
      if (code > 127) {
        this.#length = start;
        return false;
      }
      this.#bytes[this.#length++] = code;
    }
    return true;
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + count));
    grown.set(this.#bytes);
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}
