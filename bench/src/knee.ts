/** Loads are tried on a grid of steps of 4 %: finer differences drown in noise. */
const STEP = 1.04;
/** Grid steps taken at a time while the knee is not yet enclosed. */
const STRIDE = 4;
const MAX_RUNS = 40;
/** Below this share of the first load the search gives up: a strategy that misses the goodput there has no knee. */
const LEAST_SHARE = 1 / 8;

/** What goodput a load gave. */
export interface Probe {
  readonly load: number;
  readonly goodput: number;
}

export interface Knee {
  /** Highest load on the grid that passed while the next one failed; null when even the lightest failed. */
  readonly load: number | null;
  /** Runs that went to their end. */
  readonly probes: readonly Probe[];
  readonly runs: number;
}

/** Load number `index` of the grid around `base`. */
export function gridLoad(base: number, index: number): number {
  return base * STEP ** index;
}

/**
 * Finds, with `run` giving the goodput of a load (null: below `least`, not run to its end), the highest load whose goodput is at least `least`, walking the grid outwards from `startIndex`.
 * Goodput is taken to fall with load; where noise breaks that, the knee found is a passing load below a failing one.
 */
export function findKnee(
  run: (load: number) => number | null,
  options: { readonly base: number; readonly startIndex: number; readonly least: number },
): Knee {
  const probes: Probe[] = [];
  const known = new Map<number, boolean>();
  const passes = (index: number): boolean => {
    const before = known.get(index);
    if (before !== undefined) return before;
    const load = gridLoad(options.base, index);
    const goodput = run(load);
    const isServed = goodput !== null && goodput >= options.least;
    if (goodput !== null) probes.push({ load, goodput });
    known.set(index, isServed);
    return isServed;
  };
  let low: number | null = null;
  let high: number | null = null;
  let index = options.startIndex;
  let stride = 1;
  while ((low === null || high === null) && known.size < MAX_RUNS) {
    if (passes(index)) {
      low = index;
      if (high !== null) break;
      index += stride;
    } else {
      high = index;
      if (low !== null || STEP ** index < LEAST_SHARE) break;
      index -= stride;
    }
    stride = Math.min(2 * stride, 4 * STRIDE);
  }
  if (low === null || high === null)
    return { load: low === null ? null : gridLoad(options.base, low), probes, runs: known.size };
  while (high - low > 1) {
    const middle: number = Math.floor((low + high) / 2);
    if (passes(middle)) low = middle;
    else high = middle;
  }
  return { load: gridLoad(options.base, low), probes, runs: known.size };
}

/** Grid index nearest to a load. */
export function gridIndex(base: number, load: number): number {
  return Math.round(Math.log(load / base) / Math.log(STEP));
}
