/** Reads what `ByteWriter` wrote. @throws RangeError past the end. */
export class ByteReader {
  readonly #view: DataView;
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
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
    const start = this.#at;
    this.#at += length;
    return this.#bytes.toString("utf8", start, this.#at);
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
