import { isJsonObject, type JsonObject } from "../../json/json-object.ts";
import { combineRanks, type MetricsReading, NO_ADAPTERS } from "../engine-metrics.ts";
import { asCount, asRatio, presentDetails } from "../read-gauge.ts";

/**
 * Reads the iteration statistics of trtllm-serve's JSON `/metrics`: a list of which the highest iteration counts.
 * Reading removes them from the server, so two readers starve each other, and an idle server answers `[]`.
 */
export function readIterationStats(text: string): MetricsReading {
  const latest = latestIteration(text);
  if (latest === null) {
    return {
      ok: false,
      code: "no_metrics",
      message: "The list of iteration statistics is empty or unreadable.",
    };
  }
  const kv = objectAt(latest, "kvCacheStats");
  const batch = objectAt(latest, "inflightBatchingStats");
  const kvBlocks = countAt(kv, "maxNumBlocks");
  const used = countAt(kv, "usedNumBlocks");
  const kvBlockTokens = countAt(kv, "tokensPerBlock");
  const rank = {
    rank: "-",
    running: countAt(latest, "numActiveRequests") ?? countAt(batch, "numScheduledRequests"),
    queueDepth: countAt(latest, "numQueuedRequests") ?? countAt(latest, "queuedRequests"),
    kvOccupancy: used === null || kvBlocks === null || kvBlocks === 0 ? null : asRatio(used / kvBlocks),
    kvCapacityTokens: kvBlocks === null || kvBlockTokens === null ? null : kvBlocks * kvBlockTokens,
    kvBlockTokens,
    kvBlocks,
    details: presentDetails({ iter: countAt(latest, "iter"), kv_used: used, kv_max: kvBlocks }),
  };
  return {
    ok: true,
    metrics: { ...combineRanks([rank]), ...NO_ADAPTERS, isAwake: null, model: null, ranks: [rank] },
  };
}

function latestIteration(text: string): JsonObject | null {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    return null;
  }
  let latest: JsonObject | null = null;
  for (const entry of Array.isArray(list) ? list : []) {
    if (
      isJsonObject(entry) &&
      (latest === null || (countAt(entry, "iter") ?? 0) >= (countAt(latest, "iter") ?? 0))
    ) {
      latest = entry;
    }
  }
  return latest;
}

function objectAt(source: JsonObject, key: string): JsonObject {
  const value = source[key];
  return isJsonObject(value) ? value : {};
}

function countAt(source: JsonObject, key: string): number | null {
  const value = source[key];
  return typeof value === "number" ? asCount(value) : null;
}
