import { type Cell, type MeasurementPlan, paceOf } from "./measurement-plan.ts";
import type { OpenLoopResult } from "./open-loop.ts";
import { saturate } from "./saturate.ts";
import type { RunningTarget } from "./targets/target.ts";
import { STREAM_EVENTS } from "./upstream-pages.ts";
import type { World } from "./world.ts";

/** One target in one cell, once. */
export interface CellMeasurement {
  readonly target: string;
  readonly cell: Cell;
  readonly saturated: SaturatedFigures | null;
  readonly openLoop: OpenLoopResult & CpuFigures;
}

export interface CpuFigures {
  /** Processor time of the target, microseconds; null without a proxy. */
  readonly cpuUsPerRequest: number | null;
  /** All of its processor time by the events it relayed; null for answers in one piece. */
  readonly cpuUsPerChunk: number | null;
  /** Of what it writes to on the other core. */
  readonly databaseCpuUsPerRequest: number | null;
}

export interface SaturatedFigures extends CpuFigures {
  readonly rps: number;
  readonly failed: number;
  /** Share of its core the target used: well below 1 the load was the limit, and `rps` says too little. */
  readonly coreShare: number | null;
}

export interface MeasureContext {
  readonly world: World;
  readonly worldCore: number;
  readonly plan: MeasurementPlan;
  readonly seed: number;
  readonly folder: string;
}

const SETTLE_MS = 20_000;
const SETTLE_STEP_MS = 500;
/** Share of a core below which a target is taken to be done. */
const QUIET_SHARE = 0.2;

/** Drives a freshly started target hard for a while. @throws Error when load cannot be made */
export async function warmUp(context: MeasureContext, running: RunningTarget): Promise<void> {
  const [port] = running.ports;
  if (running.process === null || port === undefined) return;
  const { seed, folder, plan } = context;
  const load = { port, bodyKb: 4, isStreaming: false, seed, core: context.worldCore, folder } as const;
  await saturate({ ...load, seconds: plan.warmUpSeconds });
}

/** Measures a running target in one cell. @throws Error when load cannot be made */
export async function measureCell(
  context: MeasureContext,
  name: string,
  running: RunningTarget,
  cell: Cell,
): Promise<CellMeasurement> {
  await context.world.ask<"pace">({ kind: "pace", pace: paceOf(cell.mode) });
  const openLoop = await measureOpenLoop(context, running, cell);
  if (openLoop.failed > 0) await settle(running);
  const saturated = cell.saturates ? await measureSaturated(context, running, cell) : null;
  if (saturated !== null && saturated.failed > 0) await settle(running);
  return { target: name, cell, openLoop, saturated };
}

/** Resident memory per stream that has begun and is silent, bytes; null without a proxy. */
export async function measureIdleStreams(
  context: MeasureContext,
  running: RunningTarget,
): Promise<number | null> {
  const [port] = running.ports;
  if (running.process === null || port === undefined) return null;
  await context.world.ask<"openLoop">({
    kind: "openLoop",
    ports: [...running.ports],
    bodyKb: 4,
    isStreaming: true,
    ratePerSecond: 50,
    durationMs: 2_000,
    warmUpMs: 0,
    patienceMs: 10_000,
    seed: context.seed,
  });
  await context.world.ask<"pace">({ kind: "pace", pace: "idle" });
  const before = running.process.residentBytes();
  const held = await context.world.ask<"holdStreams">({
    kind: "holdStreams",
    port,
    streams: context.plan.idleStreams,
  });
  await new Promise((resolve) => setTimeout(resolve, 500));
  const after = running.process.residentBytes();
  await context.world.ask<"releaseStreams">({ kind: "releaseStreams" });
  return held < context.plan.idleStreams * 0.9 ? null : Math.max(0, after - before) / held;
}

/** A target that could not keep up may still work on requests nobody waits for; they are not the next cell's. */
async function settle(running: RunningTarget): Promise<void> {
  for (let waitedMs = 0; waitedMs < SETTLE_MS; waitedMs += SETTLE_STEP_MS) {
    const before = running.process?.cpuUs() ?? 0;
    await new Promise((resolve) => setTimeout(resolve, SETTLE_STEP_MS));
    const share = ((running.process?.cpuUs() ?? 0) - before) / (SETTLE_STEP_MS * 1_000);
    if (share < QUIET_SHARE) return;
  }
}

async function measureOpenLoop(
  context: MeasureContext,
  running: RunningTarget,
  cell: Cell,
): Promise<OpenLoopResult & CpuFigures> {
  const meter = startMeter(running);
  const result = await context.world.ask<"openLoop">({
    kind: "openLoop",
    ports: [...running.ports],
    bodyKb: cell.bodyKb,
    isStreaming: cell.mode !== "json",
    ratePerSecond: cell.offeredRps,
    durationMs: cell.openLoopSeconds * 1_000,
    warmUpMs: context.plan.openLoopWarmUpSeconds * 1_000,
    patienceMs: 10_000,
    seed: context.seed,
  });
  return { ...result, ...meter.stop(result.allRequests, result.allEvents) };
}

async function measureSaturated(
  context: MeasureContext,
  running: RunningTarget,
  cell: Cell,
): Promise<SaturatedFigures> {
  const [port] = running.ports;
  if (port === undefined) throw new Error("the target has no port");
  const load = {
    port,
    bodyKb: cell.bodyKb,
    isStreaming: cell.mode !== "json",
    seed: context.seed,
    core: context.worldCore,
    folder: context.folder,
  };
  await saturate({ ...load, seconds: context.plan.saturateWarmUpSeconds });
  const meter = startMeter(running);
  const { requests, failed, seconds } = await saturate({ ...load, seconds: context.plan.saturateSeconds });
  const cpu = meter.stop(requests, cell.mode === "json" ? 0 : requests * STREAM_EVENTS);
  const coreShare = cpu.cpuUsPerRequest === null ? null : (cpu.cpuUsPerRequest * requests) / (seconds * 1e6);
  return { ...cpu, rps: (requests - failed) / seconds, failed, coreShare };
}

function startMeter(running: RunningTarget) {
  const cpu = running.process?.cpuUs() ?? null;
  const databaseCpu = running.database?.cpuUs() ?? null;
  return {
    stop(requests: number, events: number): CpuFigures {
      const used = cpu === null || running.process === null ? null : running.process.cpuUs() - cpu;
      const databaseUsed =
        databaseCpu === null || running.database === null ? null : running.database.cpuUs() - databaseCpu;
      return {
        cpuUsPerRequest: used === null ? null : used / Math.max(1, requests),
        cpuUsPerChunk: used === null || events === 0 ? null : used / events,
        databaseCpuUsPerRequest: databaseUsed === null ? null : databaseUsed / Math.max(1, requests),
      };
    },
  };
}
