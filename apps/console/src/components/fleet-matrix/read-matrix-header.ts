import { REPLICA_STATES, type ReplicaState } from "@evenkeel/scheduler/replica";
import type { MatrixHeader, MatrixRow } from "./matrix-wire.ts";

// By hand: a schema library would weigh more than the matrix, and this is the first page most visits load.

/** Checks a matrix header that came as JSON; throws a TypeError that names the first field that does not fit. */
export function readMatrixHeader(json: unknown): MatrixHeader {
  const header = object(json, "header");
  return {
    metric: text(header, "metric"),
    t0Ms: number(header, "t0Ms"),
    stepMs: number(header, "stepMs", (value) => value > 0),
    columns: number(header, "columns", (value) => Number.isInteger(value) && value >= 0),
    rows: list(header, "rows").map(readRow),
    stale: list(header, "stale").map((mark): [number, number, number] => {
      const [row, column, columns] = numbers(mark, 3, "stale");
      return [row ?? 0, column ?? 0, columns ?? 0];
    }),
    restarts: list(header, "restarts").map((mark): [number, number] => {
      const [row, column] = numbers(mark, 2, "restarts");
      return [row ?? 0, column ?? 0];
    }),
    routers: list(header, "routers").map((id) => (typeof id === "string" ? id : refuse("routers"))),
    asOfMs: number(header, "asOfMs"),
  };
}

function readRow(json: unknown): MatrixRow {
  const row = object(json, "rows");
  const labels = Object.entries(object(row["labels"], "labels")).map(([name, value]): [string, string] => [
    name,
    typeof value === "string" ? value : refuse(`labels.${name}`),
  ]);
  return {
    id: text(row, "id"),
    model: text(row, "model"),
    engine: text(row, "engine"),
    role: text(row, "role"),
    segment: text(row, "segment"),
    labels: Object.fromEntries(labels),
    state: row["state"] === null ? null : state(row["state"]),
    now: numberOrNull(row, "now"),
    inFlight: numberOrNull(row, "inFlight"),
    signalAgeMs: numberOrNull(row, "signalAgeMs"),
    lastSnapshotMs: numberOrNull(row, "lastSnapshotMs"),
  };
}

type Fields = Readonly<Record<string, unknown>>;

function refuse(field: string): never {
  throw new TypeError(`${field} does not fit`);
}

function object(value: unknown, field: string): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return refuse(field);
  return value as Fields; // an object that is no list has named fields of any kind
}

function list(fields: Fields, field: string): readonly unknown[] {
  const value = fields[field];
  return Array.isArray(value) ? value : refuse(field);
}

function text(fields: Fields, field: string): string {
  const value = fields[field];
  return typeof value === "string" ? value : refuse(field);
}

function number(fields: Fields, field: string, fits: (value: number) => boolean = () => true): number {
  const value = fields[field];
  return typeof value === "number" && fits(value) ? value : refuse(field);
}

function numberOrNull(fields: Fields, field: string): number | null {
  return fields[field] === null ? null : number(fields, field);
}

function numbers(value: unknown, length: number, field: string): readonly number[] {
  if (!Array.isArray(value) || value.length !== length) return refuse(field);
  return value.map((one) => (typeof one === "number" ? one : refuse(field)));
}

function state(value: unknown): ReplicaState {
  return REPLICA_STATES.find((known) => known === value) ?? refuse("state");
}
