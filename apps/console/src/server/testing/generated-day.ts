import { decisionId } from "@evenkeel/db/decision-id";
import type { DecisionOutcome, DecisionRecord } from "@evenkeel/db/decision-record";
import type { ReplicaSnapshot } from "@evenkeel/db/replica-snapshot";
import { strategySpec } from "@evenkeel/scheduler/catalog";
import type { Candidate, DecisionReason, FilteredReplica } from "@evenkeel/scheduler/decision";
import type { Replica } from "@evenkeel/scheduler/replica";

/** A small generator with a seed (mulberry32): the same seed makes the same day. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** How a replica of the made-up fleet behaves. */
export interface MadeReplica extends Replica {
  /** Points of KV occupancy it drifts to by the end, above or below its peers. */
  readonly drift: number;
  readonly state: "ready" | "draining";
}

/** A fleet in two pools: one replica runs hot, one cool, one drains; the rest differ a little. */
export function madeFleet(count: number, seed: number): MadeReplica[] {
  const random = seeded(seed);
  const canaries = Math.floor(count / 4);
  return Array.from({ length: count }, (_, at): MadeReplica => {
    const number = at + 1;
    const isCanary = number > count - canaries;
    const version = isCanary ? "0.28.0" : "0.27.1";
    const isHot = number === 17 || (count < 17 && number === 2);
    const isCool = number === 4;
    return {
      id: `r-${String(number).padStart(count > 99 ? 4 : 2, "0")}`,
      model: "llama-3.3-70b",
      engine: "vllm",
      role: "unified",
      labels: {
        version,
        quantization: "fp8",
        gpu: "H200",
        zone: ["a", "b", "c"][at % 3] ?? "a",
        pool: isCanary ? "canary" : "stable",
      },
      segment: `llama-3.3-70b/vllm/${version}/fp8/unified`,
      drift: isHot ? 0.2 : isCool ? -0.13 : (random() - 0.5) * (isCanary ? 0.04 : 0.14),
      state: number === 29 ? "draining" : "ready",
    };
  });
}

/** Share of the busiest hour's load at a time of day. */
function daily(timeMs: number): number {
  return 0.97 + 0.03 * Math.sin((timeMs / 5_400_000) * 2 * Math.PI);
}

/** One moment of one replica as one router sees it; `progress` 0..1 is how far the drift has come. */
export function madeSnapshot(
  replica: MadeReplica,
  routerId: string,
  takenAtMs: number,
  progress: number,
  random: () => number,
): ReplicaSnapshot {
  const isOut = replica.state === "draining";
  const noise = (random() - 0.5) * 0.05;
  const kv = isOut
    ? 0.02
    : Math.min(0.99, Math.max(0.03, 0.74 * daily(takenAtMs) + 0.03 + replica.drift * progress + noise));
  const pressure = Math.max(0, (kv - 0.72) / 0.25);
  const queueDepth = isOut ? 0 : Math.floor(pressure ** 2 * 14 + random() * 1.6);
  const running = isOut ? 0 : Math.round(10 + kv * 32 + random() * 4);
  const ttft = 180 + 90 * random() + 1500 * pressure ** 2;
  // A restart at a third of the way, a replica whose scrapes fail at the end, and one that nobody could reach for a while.
  const isRestarting = replica.id.endsWith("31") && progress > 0.33 && progress < 0.345;
  const isDown = replica.id.endsWith("44") && progress > 0.44 && progress < 0.455;
  const isStale = replica.id.endsWith("22") && progress > 0.985;
  const isUnknown = isRestarting || isDown;
  return {
    takenAtMs,
    routerId,
    replica: replica.id,
    state: isRestarting ? "starting" : isDown ? "unreachable" : replica.state,
    inFlight: isUnknown ? 0 : Math.round((running + queueDepth) / 2),
    running: isUnknown ? null : running,
    queueDepth: isUnknown ? null : queueDepth,
    kvOccupancy: isUnknown ? null : kv,
    signalAgeMs: isUnknown ? null : isStale ? 48_000 : 300 + random() * 1200,
    ttftP50Ms: isUnknown || isOut ? null : ttft * 0.6,
    ttftP99Ms: isUnknown || isOut ? null : ttft * 1.9,
    itlP50Ms: isUnknown || isOut ? null : 24 + kv * 14,
    hitRate: isUnknown || isOut ? null : 0.75 + random() * 0.15,
    requests: isUnknown ? 0 : Math.round(4 + random() * 3),
    failures: 0,
  };
}

/** One decision of the made-up fleet: every candidate with terms of the strategy's catalog row. */
export function madeDecision(
  fleet: readonly MadeReplica[],
  routerId: string,
  atMs: number,
  progress: number,
  random: () => number,
): DecisionRecord {
  const terms = strategySpec("predicted-cost").terms;
  const promptTokens = Math.round(400 + random() ** 2 * 18_000);
  const outputTokens = Math.round(20 + random() * 280);
  const isPinned = random() < 0.5;
  const able = fleet.filter((replica) => replica.state === "ready" && replica.labels["pool"] === "stable");
  const filtered: FilteredReplica[] = fleet
    .filter((replica) => !able.includes(replica))
    .map((replica) => ({
      replica: replica.id,
      reason: replica.state === "draining" ? "draining" : "other_arm",
    }));
  // The hot replica holds more than its share of pins: that is what makes it hot.
  const hot = able.find((replica) => replica.drift >= 0.2);
  const home = hot && random() < 0.1 ? hot : able[Math.floor(random() * able.length)];
  const candidates = able.map((replica): Candidate => {
    const kv = Math.min(0.98, 0.74 + replica.drift * progress + (random() - 0.5) * 0.03);
    const cachedTokens = Math.floor(
      promptTokens * (replica === home && isPinned ? 0.93 : random() < 0.3 ? 0.31 : 0.02),
    );
    const pressure = Math.max(0, (kv - 0.68) / 0.25);
    const made: Record<string, number> = {
      wait: pressure ** 2 * 1500 + random() * 60,
      prefill: (promptTokens - cachedTokens) * 0.132,
      decode: outputTokens * (2 + kv * 4),
      work: (promptTokens - cachedTokens) * 0.02,
      harm: pressure > 0.9 ? 120 + random() * 200 : random() * 40,
    };
    const parts = terms.map((term) => made[term.name] ?? 0);
    return {
      replica: replica.id,
      cost: parts.reduce((sum, part) => sum + part, 0),
      terms: parts,
      predictedTtftMs: (made["wait"] ?? 0) + (made["prefill"] ?? 0) + 30,
      cachedTokens,
      inFlight: Math.round(12 + kv * 20),
      queueDepth: Math.floor(pressure * 11),
      running: Math.round(12 + kv * 28),
      kvOccupancy: kv,
      signalAgeMs: 200 + random() * 1800,
      notes: random() < 0.04 ? ["stale_signal"] : [],
    };
  });
  candidates.sort((a, b) => a.cost - b.cost);
  const pinnedAt = isPinned ? candidates.findIndex((candidate) => candidate.replica === home?.id) : 0;
  const [chosen] = candidates.splice(Math.max(0, pinnedAt), 1);
  if (chosen === undefined) throw new Error("a made-up fleet needs a ready replica");
  candidates.unshift(chosen);
  const roll = random();
  const reason: DecisionReason = isPinned
    ? "kept_pin"
    : roll < 0.5
      ? "prefix_match"
      : roll < 0.9
        ? "shortest_wait"
        : roll < 0.97
          ? "adapter_resident"
          : "retry";
  const outcome: DecisionOutcome =
    roll > 0.995 ? "upstream_failed" : roll > 0.985 ? "client_gone" : "completed";
  const ttftMs = outcome === "completed" ? chosen.predictedTtftMs * (0.9 + random() * 0.25) : null;
  const session = Math.floor(random() ** 2 * 400);
  return {
    id: decisionId(
      atMs,
      Uint8Array.from({ length: 10 }, () => Math.floor(random() * 256)),
    ),
    requestId: `req-${Math.floor(random() * 1e12).toString(36)}`,
    routerId,
    model: "llama-3.3-70b",
    sessionHash:
      random() < 0.85 ? (session * 2_654_435_761).toString(16).padStart(12, "7f3a91").slice(0, 12) : null,
    decision: {
      kind: "routed",
      requestId: `req-${Math.floor(random() * 1e12).toString(36)}`,
      decidedAtMs: atMs,
      policyRevision: 1,
      strategy: "predicted-cost",
      pool: "stable",
      arm: null,
      baseModel: "llama-3.3-70b",
      adapter: null,
      filtered,
      chosen: chosen.replica,
      segment: "llama-3.3-70b/vllm/0.27.1/fp8/unified",
      reason,
      candidates,
      predictedOutputTokens: outputTokens,
      isPanic: false,
    },
    decideUs: 20 + random() * 30,
    heldMs: random() < 0.02 ? Math.round(random() * 200) : 0,
    attempts:
      reason === "retry"
        ? [
            {
              replica: able[0]?.id ?? chosen.replica,
              outcome: "connect_failed",
              status: null,
              durationMs: 4,
            },
            { replica: chosen.replica, outcome: "completed", status: 200, durationMs: 900 },
          ]
        : [
            {
              replica: chosen.replica,
              outcome:
                outcome === "completed"
                  ? "completed"
                  : outcome === "client_gone"
                    ? "client_gone"
                    : "engine_error",
              status: outcome === "upstream_failed" ? 500 : 200,
              durationMs: 1200 + random() * 3000,
            },
          ],
    outcome,
    errorCode: outcome === "upstream_failed" ? "upstream_failed" : null,
    status: outcome === "upstream_failed" ? 502 : 200,
    isStreaming: true,
    promptTokensPredicted: promptTokens,
    promptTokens,
    cachedTokens: Math.max(0, Math.floor(chosen.cachedTokens * (0.96 + random() * 0.04))),
    outputTokens: outcome === "completed" ? Math.round(outputTokens * (0.7 + random() * 0.6)) : null,
    ttftMs,
    itlMs: outcome === "completed" ? 26 + random() * 18 : null,
    durationMs: 1200 + random() * 6000,
  };
}
