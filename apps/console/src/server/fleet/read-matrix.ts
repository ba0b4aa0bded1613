import type { Db } from "@evenkeel/db/connect";
import type { MatrixBins } from "#components/fleet-matrix/matrix-bins.ts";
import type { MatrixMetric } from "#components/fleet-matrix/matrix-metrics.ts";
import { encodeCell, MISSING_BYTE } from "#components/fleet-matrix/matrix-scale.ts";
import type { Matrix, MatrixHeader, MatrixRow } from "#components/fleet-matrix/matrix-wire.ts";
import { STALE_SIGNAL_MS } from "#components/fleet-matrix/stale-signal.ts";
import { readFleetNow } from "./read-fleet-now.ts";

export interface MatrixRequest {
  readonly metric: MatrixMetric;
  readonly bins: MatrixBins;
  /** End of the range: the moment "now" is read at. */
  readonly toMs: number;
  /** Only replicas of this model; null for all. */
  readonly model: string | null;
  readonly nowMs: number;
}

/** Flags of a cell as the query packs them. */
const STALE = 1;
const WAS_DOWN = 2;
const ENDS_DOWN = 4;

/**
 * Reads the matrix. Postgres pools snapshots to the highest value per cell and sends seven bytes for each: column
 * (int16), value (float4, NaN when not known) and flags, so that a day of 1,000 replicas is one pass and no rows of text.
 */
export async function readMatrix(db: Db, request: MatrixRequest): Promise<Matrix> {
  const { bins, metric } = request;
  const [known, strips] = await Promise.all([readFleetNow(db, request), readStrips(db, request)]);
  // A replica that joined after the range has no place in it, unless the store holds older snapshots of it.
  const fleet = known.filter((replica) => replica.firstSeenMs <= request.toMs || strips.has(replica.num));
  const { columns } = bins;
  const cells = new Uint8Array(fleet.length * columns).fill(MISSING_BYTE);
  const stale: MatrixHeader["stale"] = [];
  const restarts: MatrixHeader["restarts"] = [];
  fleet.forEach((replica, row) => {
    const strip = strips.get(replica.num);
    if (!strip) return;
    unpackStrip(strip, metric, columns, {
      cell: (column, byte) => {
        cells[row * columns + column] = byte;
      },
      stale: (column) => {
        const last = stale.at(-1);
        if (last && last[0] === row && last[1] + last[2] === column) last[2] += 1;
        else stale.push([row, column, 1]);
      },
      restart: (column) => {
        restarts.push([row, column]);
      },
    });
  });
  const routers = await db.sql<{ id: string }[]>`
    select id from routers
    where last_seen_at >= ${new Date(bins.t0Ms)} and started_at <= ${new Date(request.toMs)}
    order by id`;
  return {
    header: {
      metric: metric.id,
      t0Ms: bins.t0Ms,
      stepMs: bins.stepMs,
      columns,
      rows: fleet.map(({ num: _num, firstSeenMs: _firstSeenMs, ...row }): MatrixRow => row),
      stale,
      restarts,
      routers: routers.map((router) => router.id),
      asOfMs: Math.min(request.nowMs, request.toMs),
    },
    cells,
  };
}

async function readStrips(db: Db, { bins, metric }: MatrixRequest): Promise<Map<number, Buffer>> {
  const { sql } = db;
  const from = new Date(bins.t0Ms);
  const to = new Date(bins.t0Ms + bins.columns * bins.stepMs);
  const value = sql(metric.column);
  // Values of one router pool to their maximum; across routers the parts add or the highest counts.
  const across = metric.merge === "sum" ? sql`sum(value)` : sql`max(value)`;
  const rows = await sql<{ replica: number; strip: Buffer }[]>`
    with by_router as (
      select
        replica, router,
        floor((extract(epoch from taken_at) * 1000 - ${bins.t0Ms}::float8) / ${bins.stepMs}::float8)::int as bin,
        max(${value})::float8 as value,
        min(coalesce(signal_age_ms, 'infinity'::float4)) > ${STALE_SIGNAL_MS}::float4 as stale,
        bool_or(state in ('starting', 'unreachable', 'ejected')) as was_down,
        coalesce(
          max(taken_at) filter (where state in ('starting', 'unreachable', 'ejected'))
            >= max(taken_at) filter (where state = 'ready'),
          bool_or(state in ('starting', 'unreachable', 'ejected'))
        ) as ends_down
      from replica_snapshots
      where taken_at >= ${from} and taken_at < ${to}
      group by replica, router, bin
    ),
    by_cell as (
      select
        replica, bin, ${across} as value,
        (case when bool_and(stale) then ${STALE}::int else 0 end)
          + (case when bool_or(was_down) then ${WAS_DOWN}::int else 0 end)
          + (case when bool_or(ends_down) then ${ENDS_DOWN}::int else 0 end) as flags
      from by_router
      group by replica, bin
    )
    select replica, string_agg(
      int2send(bin::int2) || float4send(coalesce(value, 'NaN'::float8)::float4) || set_byte('\\x00'::bytea, 0, flags),
      ''::bytea order by bin
    ) as strip
    from by_cell
    group by replica`;
  return new Map(rows.map((row) => [row.replica, row.strip]));
}

const RECORD = 7;

/** Walks one replica's packed cells in order of time. */
export function unpackStrip(
  strip: Buffer,
  metric: MatrixMetric,
  columns: number,
  on: {
    readonly cell: (column: number, byte: number) => void;
    readonly stale: (column: number) => void;
    readonly restart: (column: number) => void;
  },
): void {
  let isDown = false;
  for (let at = 0; at + RECORD <= strip.length; at += RECORD) {
    const column = strip.readInt16BE(at);
    if (column < 0 || column >= columns) continue;
    const value = strip.readFloatBE(at + 2);
    const flags = strip.readUInt8(at + 6);
    const byte = encodeCell(metric.scale, Number.isNaN(value) ? null : value);
    on.cell(column, byte);
    if ((flags & STALE) !== 0 && byte !== MISSING_BYTE && metric.merge === "engine") on.stale(column);
    const endsDown = (flags & ENDS_DOWN) !== 0;
    if ((isDown || (flags & WAS_DOWN) !== 0) && !endsDown) on.restart(column);
    isDown = endsDown;
  }
}
