import { parseAsBoolean, parseAsString, parseAsStringLiteral } from "nuqs";
import { GROUPINGS, SORTS } from "#components/fleet-matrix/group-rows.ts";
import { MATRIX_METRICS } from "#components/fleet-matrix/matrix-metrics.ts";
import { RAMPS } from "#components/fleet-matrix/ramp-lut.ts";
import { sortDirection } from "#search-params/view.ts";

/** The fleet page's part of the address; unknown values fall back to the default. */
export const fleetParams = {
  metric: parseAsStringLiteral(MATRIX_METRICS.map((metric) => metric.id)).withDefault("kv"),
  mode: parseAsStringLiteral(["div", "abs"] as const).withDefault("div"),
  group: parseAsStringLiteral(GROUPINGS).withDefault("segment"),
  /** Absent: divergence or newest value, whichever the mode shows. */
  sort: parseAsStringLiteral(SORTS),
  dir: sortDirection.withDefault("desc"),
  ramp: parseAsStringLiteral(RAMPS).withDefault("viridis"),
  fit: parseAsBoolean.withDefault(false),
  as: parseAsStringLiteral(["matrix", "table"] as const).withDefault("matrix"),
  /** Only replicas whose name contains it. */
  q: parseAsString.withDefault(""),
};

/** The open replica: pushes, so that Back closes the drawer. */
export const openReplica = parseAsString.withOptions({ history: "push" });
