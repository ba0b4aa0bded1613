import type { RowGroup } from "./group-rows.ts";
import { encodeCell, type MatrixScale } from "./matrix-scale.ts";
import type { Matrix, MatrixRow } from "./matrix-wire.ts";

/** A row with unremarkable facts, for tests and the bench page. */
export function sampleRow(id: string, overrides: Partial<MatrixRow> = {}): MatrixRow {
  return {
    id,
    model: "llama-3.3-70b",
    engine: "vllm",
    role: "unified",
    segment: "llama-3.3-70b/vllm/0.27.1/fp8/unified",
    labels: { version: "0.27.1", quantization: "fp8", zone: "a" },
    state: "ready",
    now: null,
    inFlight: 0,
    signalAgeMs: 800,
    lastSnapshotMs: 0,
    ...overrides,
  };
}

/** A group of so many rows that its statistics say nothing of: `a-0`, `a-1`. */
export function sampleGroup(key: string, count: number): RowGroup {
  const rows = Array.from({ length: count }, (_, index) => ({
    row: sampleRow(`${key}-${index}`),
    index,
    delta: null,
    z: null,
    max: null,
    counts: true,
  }));
  return { key, title: key, subtitle: "", rows, median: null, spread: null };
}

/** A matrix of the given values, one array per row; each row's newest value is its last. */
export function sampleMatrix(
  scale: MatrixScale,
  rows: readonly (MatrixRow & { readonly values: readonly (number | null)[] })[],
  { t0Ms = 0, stepMs = 60_000, metric = "kv" } = {},
): Matrix {
  const columns = rows[0]?.values.length ?? 0;
  return {
    header: {
      metric,
      t0Ms,
      stepMs,
      columns,
      rows: rows.map(({ values, ...row }) => ({ ...row, now: row.now ?? values.at(-1) ?? null })),
      stale: [],
      restarts: [],
      routers: ["rt-1"],
      asOfMs: t0Ms + columns * stepMs,
    },
    cells: Uint8Array.from(rows.flatMap((row) => row.values.map((value) => encodeCell(scale, value)))),
  };
}
