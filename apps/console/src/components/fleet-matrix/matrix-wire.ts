import { REPLICA_STATES } from "@evenkeel/scheduler/replica";
import { z } from "zod";

/** A replica as the matrix shows it. Values are those of the newest snapshot in the range, null when not known. */
export const matrixRow = z.object({
  id: z.string(),
  model: z.string(),
  engine: z.string(),
  role: z.string(),
  segment: z.string(),
  labels: z.record(z.string(), z.string()),
  state: z.enum(REPLICA_STATES).nullable(),
  /** The metric's newest value, in its unit. */
  now: z.number().nullable(),
  inFlight: z.number().nullable(),
  /** Age of the engine's signals at the newest snapshot. */
  signalAgeMs: z.number().nullable(),
  /** When any router last took a snapshot of it. */
  lastSnapshotMs: z.number().nullable(),
});
export type MatrixRow = z.infer<typeof matrixRow>;

export const matrixHeader = z.object({
  metric: z.string(),
  /** Start of the first column, a multiple of `stepMs`. */
  t0Ms: z.number(),
  stepMs: z.number().positive(),
  columns: z.number().int().nonnegative(),
  rows: z.array(matrixRow),
  /** Cells whose signals were older than they should be: row, first column, columns. */
  stale: z.array(z.tuple([z.number(), z.number(), z.number()])),
  /** Cells in which a replica came back from starting, unreachable or ejected: row, column. */
  restarts: z.array(z.tuple([z.number(), z.number()])),
  /** Routers with snapshots in the range. */
  routers: z.array(z.string()),
  /** The moment "now" stands for: when the data was read, or the end of a past range. */
  asOfMs: z.number(),
});
export type MatrixHeader = z.infer<typeof matrixHeader>;

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
  const header = matrixHeader.parse(
    JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, headerLength))),
  );
  const cells = new Uint8Array(buffer, 4 + headerLength);
  const expected = header.rows.length * header.columns;
  if (cells.length !== expected) {
    throw new MatrixFormatError(
      `${cells.length} cells, but ${header.rows.length} rows of ${header.columns} columns`,
    );
  }
  return { header, cells };
}
