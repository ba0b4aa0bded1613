import { expect, test } from "vitest";
import { matrixMetric } from "./matrix-metrics.ts";
import { decodeMatrix, encodeMatrix, MatrixFormatError } from "./matrix-wire.ts";
import { sampleMatrix, sampleRow } from "./sample-matrix.ts";

const { scale } = matrixMetric("kv");
const matrix = sampleMatrix(scale, [
  { ...sampleRow("r-01"), values: [0.1, null, 0.5] },
  { ...sampleRow("<img src=x onerror=alert(1)>"), values: [0.9, 0.94, 1] },
]);

test("a matrix survives the wire byte for byte, whatever its ids hold", () => {
  const read = decodeMatrix(encodeMatrix(matrix).buffer);
  expect(read.header).toEqual(matrix.header);
  expect([...read.cells]).toEqual([...matrix.cells]);
});

test("bytes that are not a whole matrix are refused", () => {
  const bytes = encodeMatrix(matrix);
  expect(() => decodeMatrix(bytes.slice(0, bytes.length - 1).buffer)).toThrow(MatrixFormatError);
  expect(() => decodeMatrix(new ArrayBuffer(2))).toThrow(MatrixFormatError);
  expect(() => decodeMatrix(Uint8Array.from([255, 255, 255, 0, 1]).buffer)).toThrow(/exceeds/);
});

test.each<[string, object]>([
  ["columns", { columns: -1 }],
  ["stepMs", { stepMs: "10000" }],
  ["restarts", { restarts: [[1]] }],
  ["state", { rows: [{ ...matrix.header.rows[0], state: "asleep" }] }],
  ["labels.pool", { rows: [{ ...matrix.header.rows[0], labels: { pool: 3 } }] }],
])("a header whose %s does not fit is refused by name", (field, part) => {
  const header = JSON.parse(JSON.stringify({ ...matrix.header, ...part }));
  const { buffer } = encodeMatrix({ header, cells: matrix.cells });
  expect(() => decodeMatrix(buffer)).toThrow(MatrixFormatError);
  expect(() => decodeMatrix(buffer)).toThrow(field);
});
