import { ByteReader } from "./byte-reader.ts";
import { ByteWriter } from "./byte-writer.ts";

const VERSION = 1;
/** A bucket is 7.5 % wide: a quantile is at most 3.7 % off. */
const BUCKETS_PER_DECADE = 32;
/** Below this a value counts as zero. */
const LEAST = 0.01;

/**
 * Counts of non-negative values in logarithmic buckets. Histograms of parts merge to exactly the histogram of the whole, so
 * that a percentile over hours or replicas comes from all values and is never a mean of percentiles.
 */
export class LogHistogram {
  /** By bucket; bucket 0 is zero, bucket n holds values up to LEAST · 10^(n / BUCKETS_PER_DECADE). */
  readonly #counts = new Map<number, number>();
  #total = 0;

  /** Values that are negative or not a finite number are none, and are left out. */
  add(value: number): void {
    if (!(value >= 0 && value < Number.POSITIVE_INFINITY)) return;
    this.#addTo(
      value <= LEAST ? 0 : Math.max(1, Math.ceil(Math.log10(value / LEAST) * BUCKETS_PER_DECADE)),
      1,
    );
  }

  merge(other: LogHistogram): void {
    for (const [bucket, count] of other.#counts) this.#addTo(bucket, count);
  }

  get total(): number {
    return this.#total;
  }

  /** The value that `share` (0..1) of the values do not exceed, the middle of its bucket; null when there are none. */
  quantile(share: number): number | null {
    if (this.#total === 0) return null;
    const rank = Math.max(1, Math.ceil(share * this.#total));
    let seen = 0;
    for (const [bucket, count] of this.#sorted()) {
      seen += count;
      if (seen >= rank) return bucket === 0 ? 0 : LEAST * 10 ** ((bucket - 0.5) / BUCKETS_PER_DECADE);
    }
    return null;
  }

  /** Some two bytes a bucket in use; null when empty. */
  encode(): Uint8Array | null {
    if (this.#total === 0) return null;
    const into = new ByteWriter();
    into.byte(VERSION);
    into.varint(this.#counts.size);
    let last = 0;
    for (const [bucket, count] of this.#sorted()) {
      into.varint(bucket - last);
      into.varint(count);
      last = bucket;
    }
    return into.written().slice();
  }

  /** @throws RangeError when the bytes are not a histogram, or of a later release. */
  static decode(bytes: Uint8Array | null): LogHistogram {
    const histogram = new LogHistogram();
    if (bytes === null) return histogram;
    const from = new ByteReader(bytes);
    const version = from.byte();
    if (version !== VERSION)
      throw new RangeError(`histogram of version ${version}; this release reads ${VERSION}`);
    let bucket = 0;
    for (let buckets = from.varint(); buckets > 0; buckets--) {
      bucket += from.varint();
      histogram.#addTo(bucket, from.varint());
    }
    return histogram;
  }

  #addTo(bucket: number, count: number): void {
    this.#counts.set(bucket, (this.#counts.get(bucket) ?? 0) + count);
    this.#total += count;
  }

  #sorted(): [number, number][] {
    return [...this.#counts].sort(([a], [b]) => a - b);
  }
}
