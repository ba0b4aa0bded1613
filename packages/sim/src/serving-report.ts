import { type Percentiles, percentilesOf } from "./load-statistics.ts";

/** What became of one request of a replay or a simulation. */
export interface ServedRequest {
  /** Time since the start of the run. */
  readonly atMs: number;
  readonly promptTokens: number;
  readonly outputTokens: number;
  /** Prompt tokens served from a cache, null when unknown. */
  readonly cachedTokens: number | null;
  readonly ttftMs: number | null;
  /** Mean gap between tokens, null with fewer than two tokens. */
  readonly itlMs: number | null;
  /** Who answered, null when nobody did or it is not known. */
  readonly replica: string | null;
  readonly sessionKey: string | null;
  /** `rejected`: refused for load (429, 503). */
  readonly outcome: "completed" | "rejected" | "failed";
}

/** When a request counts as served well: TTFT within base + perToken x prompt, mean ITL within its bound. */
export interface ServingObjectives {
  readonly ttftBaseMs: number;
  readonly ttftPerTokenMs: number;
  readonly itlMs: number;
}

export const DEFAULT_OBJECTIVES: ServingObjectives = { ttftBaseMs: 2000, ttftPerTokenMs: 0.1, itlMs: 50 };

function missesTtft(request: ServedRequest, objectives: ServingObjectives): boolean {
  const boundMs = objectives.ttftBaseMs + objectives.ttftPerTokenMs * request.promptTokens;
  return request.ttftMs === null || request.ttftMs > boundMs;
}

function missesItl(request: ServedRequest, objectives: ServingObjectives): boolean {
  return request.itlMs !== null && request.itlMs > objectives.itlMs;
}

/** Whether a request was answered within the objectives. */
export function isServedWell(request: ServedRequest, objectives: ServingObjectives): boolean {
  return (
    request.outcome === "completed" && !missesTtft(request, objectives) && !missesItl(request, objectives)
  );
}

/** The figures by which strategies are compared. */
export interface ServingReport {
  readonly requests: number;
  readonly completed: number;
  readonly rejected: number;
  readonly failed: number;
  /** Share of requests served within the objectives, 0..1; rejected and failed ones count as missed. */
  readonly goodput: number;
  /** Share that missed the TTFT / ITL objective. */
  readonly ttftMissShare: number;
  readonly itlMissShare: number;
  readonly ttftMs: Percentiles | null;
  readonly itlMs: Percentiles | null;
  /** Cached share of prompt tokens, null when no request said. */
  readonly hitRate: number | null;
  /** Coefficient of variation of running requests across replicas (60 s windows), null when not sampled. */
  readonly loadCv: number | null;
}

/** @param warmUpMs requests that arrived earlier fill the caches and are left out of every figure */
export function servingReport(
  served: readonly ServedRequest[],
  options: {
    readonly objectives: ServingObjectives;
    readonly warmUpMs: number;
    readonly loadCv: number | null;
  },
): ServingReport {
  const { objectives } = options;
  const counted = served.filter(({ atMs }) => atMs >= options.warmUpMs);
  const completed = counted.filter(({ outcome }) => outcome === "completed");
  const good = counted.filter((request) => isServedWell(request, objectives));
  const withCache = completed.filter(({ cachedTokens }) => cachedTokens !== null);
  const promptTokens = withCache.reduce((sum, request) => sum + request.promptTokens, 0);
  const cachedTokens = withCache.reduce((sum, request) => sum + (request.cachedTokens ?? 0), 0);
  const shareOf = (count: number): number => (counted.length === 0 ? 0 : count / counted.length);
  return {
    requests: counted.length,
    completed: completed.length,
    rejected: counted.filter(({ outcome }) => outcome === "rejected").length,
    failed: counted.filter(({ outcome }) => outcome === "failed").length,
    goodput: shareOf(good.length),
    ttftMissShare: shareOf(completed.filter((request) => missesTtft(request, objectives)).length),
    itlMissShare: shareOf(completed.filter((request) => missesItl(request, objectives)).length),
    ttftMs: percentilesOf(completed.flatMap(({ ttftMs }) => (ttftMs === null ? [] : [ttftMs]))),
    itlMs: percentilesOf(completed.flatMap(({ itlMs }) => (itlMs === null ? [] : [itlMs]))),
    hitRate: promptTokens === 0 ? null : cachedTokens / promptTokens,
    loadCv: options.loadCv,
  };
}
