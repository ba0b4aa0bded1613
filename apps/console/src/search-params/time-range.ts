/** Either end of a range: fixed, or so many milliseconds before now. */
export type Moment =
  | { readonly kind: "absolute"; readonly ms: number }
  | { readonly kind: "relative"; readonly beforeNowMs: number };

export interface TimeRange {
  readonly from: Moment;
  readonly to: Moment;
}

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** Reads `now`, `now-6h`, or an ISO time with zone; null when it is none. */
export function moment(text: string): Moment | null {
  const relative = /^now(?:-(\d{1,4})([smhdw]))?$/.exec(text);
  if (relative !== null) {
    const unit = relative[2];
    // The pattern admits these letters only.
    const unitMs = unit === undefined ? 0 : UNIT_MS[unit as keyof typeof UNIT_MS];
    return { kind: "relative", beforeNowMs: Number(relative[1] ?? 0) * unitMs };
  }
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/.test(text)) return null;
  const ms = Date.parse(text);
  return Number.isFinite(ms) ? { kind: "absolute", ms } : null;
}

/** Reads both ends; null when either is malformed or the range is empty. */
export function timeRange(from: string, to: string): TimeRange | null {
  const start = moment(from);
  const end = moment(to);
  if (start === null || end === null) return null;
  if (start.kind === "relative" && end.kind === "relative" && start.beforeNowMs <= end.beforeNowMs)
    return null;
  if (start.kind === "absolute" && end.kind === "absolute" && start.ms >= end.ms) return null;
  return { from: start, to: end };
}

/** The range in milliseconds since the epoch, at `nowMs`. */
export function rangeAt(range: TimeRange, nowMs: number): { readonly fromMs: number; readonly toMs: number } {
  const at = (end: Moment) => (end.kind === "absolute" ? end.ms : nowMs - end.beforeNowMs);
  return { fromMs: at(range.from), toMs: at(range.to) };
}

/** Whether the range moves with time. */
export function isFollowingNow(range: TimeRange): boolean {
  return range.to.kind === "relative" && range.to.beforeNowMs === 0;
}
