/** Keeps a leading byte order mark: it is part of the text. */
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** Reads what `ByteWriter` wrote. @throws RangeError past the end. */
export class ByteReader {
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  byte(): number {
    return this.#view.getUint8(this.#at++);
  }

  varint(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
  }

  /** @throws RangeError past the end. */
  text(): string {
    const length = this.varint();
    if (this.#at + length > this.#view.byteLength) throw new RangeError("text runs past the end");
    const bytes = new Uint8Array(this.#view.buffer, this.#view.byteOffset + this.#at, length);
    this.#at += length;
    return utf8.decode(bytes);
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#view.byteLength;
  }

  float32(): number {
    const value = this.#view.getFloat32(this.#at);
    this.#at += 4;
    return value;
  }

  float64(): number {
    const value = this.#view.getFloat64(this.#at);
    this.#at += 8;
    return value;
  }
}
