import { basename } from "node:path";
import { seededRng } from "@evenkeel/scheduler/rng";
import type { SessionScript, SessionStep, Workload } from "@evenkeel/sim/simulation/workload";
import { openLoop } from "@evenkeel/sim/simulation/workload";
import { type AgenticSession, readAgenticTrace } from "@evenkeel/sim/traces/agentic";
import { readAzureTrace } from "@evenkeel/sim/traces/azure";
import { readBurstGptTrace } from "@evenkeel/sim/traces/burst-gpt";
import {
  overlayAdapters,
  powerUserSessions,
  SHARED_PREFIX_DEFAULTS,
  sharedPrefixTrace,
  toolAgentTrace,
} from "@evenkeel/sim/traces/generated";
import { readMooncakeTrace, spreadTicks } from "@evenkeel/sim/traces/mooncake";
import { readQwenBailianTrace } from "@evenkeel/sim/traces/qwen-bailian";
import { readServeGenPool, serveGenTrace } from "@evenkeel/sim/traces/servegen";
import { type TraceRequest, traceWindow } from "@evenkeel/sim/traces/trace-request";
import type { QualityOptions, TraceHalf } from "./quality-options.ts";

/** A workload that can be made heavier or lighter. */
export interface WorkloadSource {
  readonly name: string;
  /** What a load of 1 means. Sessions wait for their answers, so their request rate is a result. */
  readonly unit: "requests/s" | "sessions";
  /** Whether it says which prompts share prefixes; where it does not, a hit rate would mean nothing. */
  readonly hasPrefixes: boolean;
  /** Where to start looking for a knee with `replicas` replicas. */
  firstLoad(replicas: number): number;
  build(load: number, seed: number): Workload;
  /** Time over which requests arrive at this load. */
  durationMs(load: number): number;
}

const GENERATED_MS = 300_000;
const SESSIONS_MS = 600_000;
const POWER_USER_MS = 300_000;
const MODEL_TOKENS = 131_072;

/** @throws TraceFormatError, or Error when the file cannot be read */
export async function workloadSource(options: QualityOptions): Promise<WorkloadSource> {
  const { trace, format, half, raw } = options;
  const name = trace === null ? format : basename(trace).replace(/\.(jsonl|csv|tar)(\.gz)?$/, "");
  switch (format) {
    case "mooncake": {
      const requests = await readMooncakeTrace(trace ?? "");
      // Only conversation traces are rounded to 3 s ticks.
      const isTicked = requests.every(({ atMs }) => atMs % 1000 === 0);
      const spread = (seed: number): TraceRequest[] =>
        isTicked && !raw ? spreadTicks(requests, seed) : [...requests];
      return fromRequests(name, spread, half, 1);
    }
    case "azure": {
      const requests = await readAzureTrace(trace ?? "");
      return fromRequests(name, () => requests, half, 4);
    }
    case "qwen-bailian": {
      const requests = await readQwenBailianTrace(trace ?? "");
      return fromRequests(name, () => requests, half, 1);
    }
    case "burstgpt": {
      const requests = await readBurstGptTrace(trace ?? "");
      return fromRequests(name, () => requests, half, 4);
    }
    case "servegen": {
      const clients = await readServeGenPool(trace ?? "");
      const noonS = 12 * 3600;
      const source = generated(name, 4, half, (ratePerSecond, seed) =>
        serveGenTrace({ clients, fromS: noonS, durationMs: GENERATED_MS, ratePerSecond, seed }),
      );
      return { ...source, hasPrefixes: false };
    }
    case "agentic": {
      const sessions = await readAgenticTrace(trace ?? "", { maxTokens: MODEL_TOKENS, maxThinkMs: 300_000 });
      return fromSessions(name, halfOfList(sessions, half));
    }
    case "shared-prefixes":
      return generated(name, 1.2, half, (ratePerSecond, seed) =>
        sharedPrefixTrace({ ...SHARED_PREFIX_DEFAULTS, ratePerSecond, durationMs: GENERATED_MS, seed }),
      );
    case "tool-agent":
      return generated(name, 1.2, half, (ratePerSecond, seed) =>
        toolAgentTrace({ ratePerSecond, durationMs: GENERATED_MS, seed }),
      );
    case "power-users":
      return {
        name,
        unit: "sessions",
        hasPrefixes: true,
        firstLoad: (replicas) => 8 * replicas,
        durationMs: () => POWER_USER_MS,
        build: (users, seed) => ({
          requests: [],
          sessions: powerUserSessions({
            users: Math.round(users),
            turns: 60,
            startTokens: [24_000, 80_000],
            turnTokens: 400,
            outputTokens: 200,
            thinkMs: 8000,
            seed: generatorSeed(seed, half),
          }),
          sessionsEndAtMs: POWER_USER_MS,
        }),
      };
  }
}

function generatorSeed(seed: number, half: TraceHalf): number {
  return half === "choosing" ? 1000 + seed : seed;
}

function generated(
  name: string,
  ratePerReplica: number,
  half: TraceHalf,
  make: (ratePerSecond: number, seed: number) => TraceRequest[],
): WorkloadSource {
  return {
    name,
    unit: "requests/s",
    hasPrefixes: true,
    firstLoad: (replicas) => ratePerReplica * replicas,
    durationMs: () => GENERATED_MS,
    build: (load, seed) => openLoop(make(load, generatorSeed(seed, half)), 1),
  };
}

function fromRequests(
  name: string,
  spread: (seed: number) => readonly TraceRequest[],
  half: TraceHalf,
  ratePerReplica: number,
): WorkloadSource {
  const windowOf = (seed: number): TraceRequest[] => {
    // What the model cannot serve would fail under every strategy.
    const requests = spread(seed).filter(
      ({ promptTokens, outputTokens }) => promptTokens + outputTokens <= MODEL_TOKENS,
    );
    const endMs = (requests.at(-1)?.atMs ?? 0) + 1;
    if (half === "whole") return [...requests];
    return half === "choosing"
      ? traceWindow(requests, 0, endMs / 2)
      : traceWindow(requests, endMs / 2, endMs);
  };
  const sample = windowOf(1);
  const spanMs = Math.max(1, sample.at(-1)?.atMs ?? 1);
  const ownRate = (1000 * sample.length) / spanMs;
  return {
    name,
    unit: "requests/s",
    hasPrefixes: sample.some(({ blockIds }) => blockIds.length > 0),
    firstLoad: (replicas) => ratePerReplica * replicas,
    durationMs: (load) => (spanMs * ownRate) / load,
    build: (load, seed) => openLoop(windowOf(seed), load / ownRate),
  };
}

/** Sessions have no common clock: the halves are the first and the second half of the list. */
function halfOfList<T>(list: readonly T[], half: TraceHalf): readonly T[] {
  const middle = Math.floor(list.length / 2);
  if (half === "choosing") return list.slice(0, middle);
  return half === "reporting" ? list.slice(middle) : list;
}

/**
 * A constant number of clients, each working through recorded sessions one after the other. The first session of each
 * begins at a random step, so that the fleet meets sessions of every age from the start.
 */
function fromSessions(name: string, recorded: readonly AgenticSession[]): WorkloadSource {
  return {
    name,
    unit: "sessions",
    hasPrefixes: true,
    firstLoad: (replicas) => 6 * replicas,
    durationMs: () => SESSIONS_MS,
    build: (load, seed) => {
      const rng = seededRng(seed);
      const clients = Math.max(1, Math.round(load));
      const sessions = Array.from({ length: clients }, (_, client): SessionScript => {
        const steps: SessionStep[] = [];
        for (let turn = 0; turn < 3; turn += 1) {
          const copy = client + turn * clients;
          const session = recorded[Math.floor(rng() * recorded.length)];
          if (session === undefined) continue;
          const from = turn === 0 ? Math.floor(rng() * session.steps.length) : 0;
          steps.push(...session.steps.slice(from).map((step) => ownCopy(step, copy)));
        }
        return { startAtMs: rng() * 30_000, steps };
      });
      return { requests: [], sessions, sessionsEndAtMs: SESSIONS_MS };
    },
  };
}

/** Gives a session drawn more than once blocks of its own, but for the shared tools and system prompt. */
function ownCopy(step: SessionStep, copy: number): SessionStep {
  if (step.kind === "parallel") {
    return {
      kind: "parallel",
      branches: step.branches.map((branch) => branch.map((each) => ownCopy(each, copy))),
    };
  }
  const { request } = step;
  const offset = (copy + 1) * SHARED_IDS_FROM * 2;
  const blockIds = Float64Array.from(Array.from(request.blockIds), (id) =>
    id >= SHARED_IDS_FROM ? id : id + offset,
  );
  return { ...step, request: { ...request, blockIds, sessionKey: `${request.sessionKey}-${copy}` } };
}

const SHARED_IDS_FROM = 2 ** 28;

/** Lays adapters over a workload's requests, by session. */
export function withAdapters(
  workload: Workload,
  adapters: { readonly count: number; readonly skew: number; readonly share: number },
  seed: number,
): Workload {
  const { count, skew, share } = adapters;
  return {
    ...workload,
    requests: overlayAdapters(workload.requests, { adapters: count, skew, share, seed }),
  };
}
