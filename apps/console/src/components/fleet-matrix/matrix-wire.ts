import type { ReplicaState } from "@evenkeel/scheduler/replica";
import { readMatrixHeader } from "./read-matrix-header.ts";

/** A replica as the matrix shows it. Values are those of the newest snapshot in the range, null when not known. */
export interface MatrixRow {
  readonly id: string;
  readonly model: string;
  readonly engine: string;
  readonly role: string;
  readonly segment: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly state: ReplicaState | null;
  /** The metric's newest value, in its unit. */
  readonly now: number | null;
  readonly inFlight: number | null;
  /** Age of the engine's signals at the newest snapshot. */
  readonly signalAgeMs: number | null;
  /** When any router last took a snapshot of it. */
  readonly lastSnapshotMs: number | null;
}

export interface MatrixHeader {
  readonly metric: string;
  /** Start of the first column, a multiple of `stepMs`. */
  readonly t0Ms: number;
  readonly stepMs: number;
  readonly columns: number;
  readonly rows: readonly MatrixRow[];
  /** Cells whose signals were older than they should be: row, first column, columns. */
  readonly stale: [row: number, column: number, columns: number][];
  /** Cells in which a replica came back from starting, unreachable or ejected: row, column. */
  readonly restarts: [row: number, column: number][];
  /** Routers with snapshots in the range. */
  readonly routers: readonly string[];
  /** The moment "now" stands for: when the data was read, or the end of a past range. */
  readonly asOfMs: number;
}

/** Header and cells: row-major bytes, `rows.length * columns` of them, 255 for missing. */
export interface Matrix {
  readonly header: MatrixHeader;
  readonly cells: Uint8Array;
}

/** The bytes are not a matrix; the message names what is wrong with them. */
export class MatrixFormatError extends Error {
  readonly code = "matrix_format";
}

/** Wire form: byte length of the header (uint32, little endian), header as UTF-8 JSON, cells. */
export function encodeMatrix({ header, cells }: Matrix): Uint8Array<ArrayBuffer> {
  const json = new TextEncoder().encode(JSON.stringify(header));
  const out = new Uint8Array(4 + json.length + cells.length);
  new DataView(out.buffer).setUint32(0, json.length, true);
  out.set(json, 4);
  out.set(cells, 4 + json.length);
  return out;
}

/** Reads the wire form; throws MatrixFormatError when lengths or header do not fit. */
export function decodeMatrix(buffer: ArrayBuffer): Matrix {
  if (buffer.byteLength < 4) throw new MatrixFormatError("matrix shorter than its length prefix");
  const headerLength = new DataView(buffer).getUint32(0, true);
  if (4 + headerLength > buffer.byteLength) {
    throw new MatrixFormatError(`header of ${headerLength} bytes exceeds the ${buffer.byteLength} received`);
  }
  const header = readHeader(new TextDecoder().decode(new Uint8Array(buffer, 4, headerLength)));
  const cells = new Uint8Array(buffer, 4 + headerLength);
  const expected = header.rows.length * header.columns;
  if (cells.length !== expected) {
    throw new MatrixFormatError(
      `${cells.length} cells, but ${header.rows.length} rows of ${header.columns} columns`,
    );
  }
  return { header, cells };
}

function readHeader(text: string): MatrixHeader {
  try {
    return readMatrixHeader(JSON.parse(text));
  } catch (error) {
    throw new MatrixFormatError(`header cannot be read: ${error instanceof Error ? error.message : ""}`);
  }
}
