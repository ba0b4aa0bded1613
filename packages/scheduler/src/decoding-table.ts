import type { DecodingStreams } from "./fleet-snapshot.ts";
import type { StreamRecord } from "./stream-record.ts";

/** Streams that decode, packed: removal moves the last one into the gap. */
export class DecodingTable implements DecodingStreams {
  count = 0;
  firstTokenAtMs = new Float64Array(16);
  gaps = new Float64Array(16);
  readonly #streams: StreamRecord[] = [];

  add(stream: StreamRecord, nowMs: number): void {
    if (this.count === this.gaps.length) {
      this.firstTokenAtMs = doubled(this.firstTokenAtMs);
      this.gaps = doubled(this.gaps);
    }
    stream.decodingIndex = this.count;
    this.#streams[this.count] = stream;
    this.firstTokenAtMs[this.count] = nowMs;
    this.gaps[this.count] = 0;
    this.count++;
  }

  addGaps(stream: StreamRecord, gaps: number): void {
    const index = stream.decodingIndex;
    if (index >= 0) this.gaps[index] = (this.gaps[index] ?? 0) + gaps;
  }

  remove(stream: StreamRecord): void {
    const index = stream.decodingIndex;
    if (index < 0) return;
    const last = this.#streams.pop();
    this.count--;
    stream.decodingIndex = -1;
    if (last === undefined || last === stream) return;
    this.#streams[index] = last;
    last.decodingIndex = index;
    this.firstTokenAtMs[index] = this.firstTokenAtMs[this.count] ?? 0;
    this.gaps[index] = this.gaps[this.count] ?? 0;
  }
}

function doubled(array: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(array.length * 2);
  larger.set(array);
  return larger;
}
