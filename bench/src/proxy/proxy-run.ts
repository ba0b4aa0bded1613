import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CellMeasurement, measureCell, measureIdleStreams, warmUp } from "./measure-target.ts";
import { measurementPlan } from "./measurement-plan.ts";
import type { Cores } from "./pinning.ts";
import type { ProxyOptions } from "./proxy-options.ts";
import type { Target } from "./targets/target.ts";
import { World } from "./world.ts";

export interface ProxyFigures {
  readonly cells: readonly CellMeasurement[];
  readonly idleStreams: readonly { readonly target: string; readonly bytes: number }[];
  readonly skipped: readonly { readonly target: string; readonly reason: string }[];
  readonly rounds: number;
}

/** Measures all targets, round by round; each round takes them in another order. */
export class ProxyRun {
  readonly #options: ProxyOptions;
  readonly #cores: Cores;
  readonly #say: (text: string) => void;
  readonly #cells: CellMeasurement[] = [];
  readonly #idleStreams: { target: string; bytes: number }[] = [];
  readonly #skipped = new Map<string, string>();
  readonly #folder: string;
  #world: World | null = null;

  constructor(options: ProxyOptions, cores: Cores, say: (text: string) => void) {
    this.#options = options;
    this.#cores = cores;
    this.#say = say;
    this.#folder = mkdtempSync(join(tmpdir(), "evenkeel-bench-"));
  }

  async measure(): Promise<ProxyFigures> {
    const deadlineMs = performance.now() + this.#options.limitMinutes * 60_000;
    let rounds = 0;
    try {
      for (let round = 0; round < this.#options.repeats; round++) {
        for (const target of this.#orderOf(round)) {
          if (performance.now() > deadlineMs) {
            this.#say(`the time is up after ${rounds} whole rounds`);
            return this.#figures(rounds);
          }
          if (!this.#skipped.has(target.name)) await this.#measureTarget(target, round);
        }
        rounds++;
      }
      return this.#figures(rounds);
    } finally {
      this.#world?.close();
      rmSync(this.#folder, { recursive: true, force: true });
    }
  }

  #figures(rounds: number): ProxyFigures {
    const skipped = [...this.#skipped].map(([target, reason]) => ({ target, reason }));
    return { cells: this.#cells, idleStreams: this.#idleStreams, skipped, rounds };
  }

  /** No proxy first, for the others are compared with it; the rest turned by one each round. */
  #orderOf(round: number): Target[] {
    const [first, ...rest] = this.#options.targets;
    if (first === undefined) return [];
    const turn = round % Math.max(1, rest.length);
    return [first, ...rest.slice(turn), ...rest.slice(0, turn)];
  }

  async #measureTarget(target: Target, round: number): Promise<void> {
    const missing = target.missing();
    if (missing !== null) {
      this.#skip(target, missing);
      return;
    }
    const plan = measurementPlan(this.#options.isQuick);
    for (const replicas of new Set(plan.cells.map((cell) => cell.replicas))) {
      // A fresh upstream: what one target left behind is not the next one's.
      this.#world?.close();
      const world = new World(this.#cores.world);
      this.#world = world;
      const replicaPorts = await world.ask<"listen">({ kind: "listen", replicas });
      const folder = join(this.#folder, `${target.name.replaceAll(":", "-")}-${round}-${replicas}`);
      mkdirSync(folder, { mode: 0o755 });
      const started = await target
        .start({ replicaPorts, folder, core: this.#cores.proxy })
        .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
      if (started instanceof Error) {
        this.#skip(target, `did not start: ${started.message}`);
        return;
      }
      const context = { world, worldCore: this.#cores.world, plan, seed: this.#options.seed, folder };
      try {
        // First, while its memory holds nothing of an earlier load.
        if (replicas === plan.cells[0]?.replicas) {
          const bytes = await measureIdleStreams(context, started);
          if (bytes !== null) this.#idleStreams.push({ target: target.name, bytes });
        }
        await warmUp(context, started);
        for (const cell of plan.cells.filter((each) => each.replicas === replicas)) {
          const measured = await measureCell(context, target.name, started, cell);
          this.#cells.push(measured);
          this.#say(describe(measured));
        }
      } catch (error) {
        this.#skip(target, `gave up: ${error instanceof Error ? error.message : String(error)}`);
        return;
      } finally {
        await started.stop();
      }
    }
  }

  #skip(target: Target, reason: string): void {
    this.#skipped.set(target.name, reason);
    this.#say(`${target.name} is left out: ${reason}`);
  }
}

function describe({ target, cell, saturated, openLoop }: CellMeasurement): string {
  const { p50, p95, p99 } = cell.mode === "json" ? openLoop.latencyMs : openLoop.firstByteMs;
  const figures = [p50, p95, p99].map((ms) => ms.toFixed(2)).join("/");
  const busy =
    saturated === null
      ? ""
      : `; ${saturated.rps.toFixed(0)} req/s, ${saturated.cpuUsPerRequest?.toFixed(0) ?? "-"} us/req` +
        `${saturated.failed > 0 ? `, ${saturated.failed} FAILED` : ""}`;
  const lost =
    openLoop.failed > 0
      ? ` (${openLoop.failed} of ${openLoop.requests} FAILED: ${JSON.stringify(openLoop.failures)})`
      : "";
  return `${target}, ${cell.replicas} replicas, ${cell.bodyKb} KiB, ${cell.mode}: ${figures} ms at ${cell.offeredRps}/s${lost}${busy}`;
}
