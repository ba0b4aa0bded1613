"use client";

import { ChoiceMenu } from "#components/choice-menu.tsx";
import { GROUPINGS, type Grouping, SORTS, type Sort } from "#components/fleet-matrix/group-rows.ts";
import { MATRIX_METRICS } from "#components/fleet-matrix/matrix-metrics.ts";
import { RAMPS, type Ramp } from "#components/fleet-matrix/ramp-lut.ts";
import { Segmented } from "#components/ui/segmented.tsx";

const SORT_WORDS: Record<Sort, string> = {
  divergence: "divergence",
  now: "now",
  max: "highest in range",
  name: "name",
  inflight: "in flight",
};

interface FleetToolbarProps {
  readonly metric: string;
  readonly mode: "div" | "abs";
  readonly group: Grouping;
  readonly sort: Sort;
  readonly descending: boolean;
  readonly ramp: Ramp;
  readonly fit: boolean;
  readonly as: "matrix" | "table";
  readonly filter: string;
  readonly onChange: (change: {
    readonly metric?: string;
    readonly mode?: "div" | "abs";
    readonly group?: Grouping;
    readonly sort?: Sort;
    readonly dir?: "asc" | "desc";
    readonly ramp?: Ramp;
    readonly fit?: boolean;
    readonly as?: "matrix" | "table";
    readonly q?: string;
  }) => void;
}

/** What is shown: metric and mode first, then how it is laid out. */
export function FleetMetricBar({
  metric,
  mode,
  filter,
  onChange,
}: Pick<FleetToolbarProps, "metric" | "mode" | "filter" | "onChange">) {
  return (
    <div className="flex min-h-[34px] flex-none flex-wrap items-center gap-2">
      <Segmented
        label="Metric"
        value={metric}
        options={MATRIX_METRICS.map((row) => ({ value: row.id, label: row.title }))}
        onChange={(next) => onChange({ metric: next })}
      />
      <span className="flex-1" />
      <input
        type="search"
        data-filter=""
        aria-label="Filter replicas by name"
        placeholder="Filter  /"
        value={filter}
        onChange={(event) => onChange({ q: event.target.value })}
        className="h-7 w-32 min-w-0 rounded-md border border-ctl bg-bg px-2 text-label"
      />
      <Segmented
        label="Mode"
        value={mode}
        options={[
          { value: "div", label: "Divergence" },
          { value: "abs", label: "Absolute" },
        ]}
        onChange={(next) => onChange({ mode: next })}
      />
    </div>
  );
}

export function FleetLayoutBar({
  group,
  sort,
  descending,
  ramp,
  fit,
  as,
  mode,
  onChange,
}: Omit<FleetToolbarProps, "metric" | "filter">) {
  return (
    <>
      <ChoiceMenu
        label="Group"
        value={group}
        choices={GROUPINGS.map((value) => ({ value, label: value }))}
        onChange={(next) => onChange({ group: next })}
      />
      <ChoiceMenu
        label="Sort"
        value={sort}
        suffix={descending ? "↓" : "↑"}
        choices={SORTS.map((value) => ({ value, label: SORT_WORDS[value] }))}
        onChange={(next) =>
          onChange(
            next === sort
              ? { dir: descending ? "asc" : "desc" }
              : { sort: next, dir: next === "name" ? "asc" : "desc" },
          )
        }
      />
      {mode === "abs" ? (
        <ChoiceMenu
          label="Ramp"
          value={ramp}
          choices={RAMPS.map((value) => ({ value, label: value }))}
          onChange={(next) => onChange({ ramp: next })}
        />
      ) : null}
      <Segmented
        label="Row height"
        size="small"
        value={fit ? "fit" : "rows"}
        options={[
          { value: "rows", label: "Rows" },
          { value: "fit", label: "Fit" },
        ]}
        onChange={(next) => onChange({ fit: next === "fit" })}
      />
      <Segmented
        label="Shown as"
        size="small"
        value={as}
        options={[
          { value: "matrix", label: "Matrix" },
          { value: "table", label: "Table" },
        ]}
        onChange={(next) => onChange({ as: next })}
      />
    </>
  );
}
