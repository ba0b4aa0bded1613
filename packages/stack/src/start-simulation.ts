import { join } from "node:path";
import type { ReplicaFaultInput } from "@evenkeel/sim/replica-fault";
import { type NodeChild, startNodeChild } from "./node-child.ts";
import {
  type SimulatedReplica,
  type SimulationCommand,
  type SimulationReport,
  simulationReport,
} from "./simulation-messages.ts";
import { StackError } from "./stack-error.ts";
import { supervise } from "./supervise.ts";

export interface SimulationOptions {
  replicas: number;
  /** Called with every new list, so that the fleet file follows when the process was started again on other ports. */
  onFleet: (fleet: { replicas: SimulatedReplica[] }) => void;
  onLine: (line: string) => void;
  onNotice: (message: string) => void;
}

export interface RunningSimulation {
  replicas: readonly SimulatedReplica[];
  /** Model names clients can ask for. */
  models: readonly string[];
  /** Sends requests through the router until stopLoad(). `rps` null: what suits the fleet. */
  startLoad(routerUrl: string, rps: number | null): Promise<void>;
  stopLoad(): Promise<void>;
  /** Makes one replica fail, or ends its faults with `{ kind: "clear" }`. */
  fault(replicaId: string, fault: ReplicaFaultInput): Promise<void>;
  stop(): Promise<void>;
  kill(): void;
}

/** A command without its number. */
type Command = SimulationCommand extends infer Each
  ? Each extends { id: number }
    ? Omit<Each, "id">
    : never
  : never;

const START_TIMEOUT_MS = 60_000;
const ANSWER_TIMEOUT_MS = 30_000;

/** Runs simulated replicas and the load on them in a process of their own, and keeps it running. */
export async function startSimulation(options: SimulationOptions): Promise<RunningSimulation> {
  const waiting = new Map<number, (report: SimulationReport) => void>();
  let lastId = 0;
  let replicas: readonly SimulatedReplica[] = [];
  let load: Command | null = null;

  const start = async (): Promise<NodeChild> => {
    const { promise: listening, resolve: heard } = Promise.withResolvers<readonly SimulatedReplica[]>();
    const child = startNodeChild({
      name: "simulation",
      args: [join(import.meta.dirname, "simulation-child.ts"), String(options.replicas)],
      cwd: import.meta.dirname,
      env: {},
      onLine: options.onLine,
      onMessage: (message) => {
        const report = simulationReport.parse(message);
        if (report.say === "listening") {
          options.onFleet({ replicas: report.replicas });
          heard(report.replicas);
        } else {
          waiting.get(report.id)?.(report);
          waiting.delete(report.id);
        }
      },
    });
    const failed = child.exited.then((reason) => {
      throw new StackError("child_exited", `The simulation ${reason}.\n${child.lastLines()}`);
    });
    failed.catch(() => {});
    replicas = await within(
      START_TIMEOUT_MS,
      "the simulated replicas to listen",
      Promise.race([listening, failed]),
    );
    if (load) void tell(child, load).catch((error: Error) => options.onNotice(error.message));
    return child;
  };

  const tell = async (child: NodeChild | null, command: Command): Promise<void> => {
    if (!child) throw new StackError("child_exited", "The simulation is not running.");
    const id = ++lastId;
    const answer = new Promise<SimulationReport>((done) => waiting.set(id, done));
    child.send({ ...command, id });
    const report = await within(ANSWER_TIMEOUT_MS, `the simulation to ${command.do}`, answer);
    if (report.say === "done" && report.problem) throw new StackError("configuration", report.problem);
  };

  const running = await supervise({ name: "simulation", start, onNotice: options.onNotice });
  return {
    get replicas() {
      return replicas;
    },
    get models() {
      return [...new Set(replicas.map((replica) => replica.model))];
    },
    startLoad: async (routerUrl, rps) => {
      load = { do: "startLoad", routerUrl, rps, seed: 1 };
      await tell(running.current(), load);
    },
    stopLoad: async () => {
      load = null;
      if (running.current()) await tell(running.current(), { do: "stopLoad" });
    },
    fault: (replicaId, fault) => tell(running.current(), { do: "fault", replicaId, fault }),
    stop: running.stop,
    kill: running.kill,
  };
}

async function within<T>(timeoutMs: number, what: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(
      () => fail(new StackError("start_timeout", `Waited ${timeoutMs / 1000} s for ${what}.`)),
      timeoutMs,
    );
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
