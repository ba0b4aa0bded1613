import type { EngineName, ReplicaRole } from "@evenkeel/scheduler/replica";
import type { OutputLength } from "./output-length.ts";
import { RealTimeClock } from "./real-time-clock.ts";
import type { ReplicaFaultInput } from "./replica-fault.ts";
import { modelOfPreset, type PresetName, presetNamed } from "./replica-presets.ts";
import { ReplicaServer } from "./replica-server.ts";
import type { MetricsGeneration } from "./vllm-metrics.ts";

/** One simulated replica; what is left out comes from the fleet's options. */
export interface SimReplicaOptions {
  readonly id?: string;
  readonly preset?: PresetName;
  readonly model?: string;
  readonly port?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly metricsGeneration?: MetricsGeneration;
  /** Multiplies step times: 1.5 is a GPU that takes half as long again. */
  readonly slowdown?: number;
  readonly adapters?: readonly string[];
}

export interface SimFleetOptions {
  /** How many equal replicas, or each one's options. */
  readonly replicas: number | readonly SimReplicaOptions[];
  readonly preset?: PresetName;
  readonly model?: string;
  readonly host?: string;
  /** First port; 0 (default) picks free ones. */
  readonly port?: number;
  /** Virtual seconds per real second. */
  readonly speed?: number;
  readonly seed?: number;
  readonly metricsGeneration?: MetricsGeneration;
  readonly labels?: Readonly<Record<string, string>>;
  readonly outputLength?: OutputLength;
  readonly adapters?: readonly string[];
}

/** A replica as a fleet file describes it. */
export interface SimReplica {
  readonly id: string;
  readonly url: string;
  readonly model: string;
  readonly engine: EngineName;
  readonly role: ReplicaRole;
  readonly labels: Readonly<Record<string, string>>;
}

export interface SimReplicaState {
  readonly running: number;
  readonly queueDepth: number;
  readonly kvOccupancy: number;
  readonly openAnswers: number;
}

export interface SimFleet {
  readonly replicas: readonly SimReplica[];
  /** Makes one replica fail, or ends that with `{ kind: "clear" }`. @throws RangeError for an unknown id */
  fault(id: string, fault: ReplicaFaultInput): Promise<void>;
  /** True state of one replica. @throws RangeError for an unknown id */
  state(id: string): SimReplicaState;
  close(): Promise<void>;
}

const DEFAULT_PRESET: PresetName = "llama-8b-h100";

/** Starts simulated replicas in this process; resolves when all of them listen. */
export async function startSimFleet(options: SimFleetOptions): Promise<SimFleet> {
  const speed = options.speed ?? 1;
  const clock = new RealTimeClock(speed);
  const list: readonly SimReplicaOptions[] =
    typeof options.replicas === "number"
      ? Array.from({ length: options.replicas }, () => ({}))
      : options.replicas;
  const started = list.map((replica, index) => {
    const preset = replica.preset ?? options.preset ?? DEFAULT_PRESET;
    const generation = replica.metricsGeneration ?? options.metricsGeneration ?? "current";
    const id = replica.id ?? `r${index + 1}`;
    const model = replica.model ?? options.model ?? modelOfPreset(preset);
    const firstPort = options.port ?? 0;
    const outputLength = options.outputLength;
    const adapters = replica.adapters ?? options.adapters ?? [];
    const server = new ReplicaServer({
      id,
      model,
      parameters: presetNamed(preset),
      clock,
      speed,
      seed: (options.seed ?? 1) + index,
      host: options.host ?? "127.0.0.1",
      port: replica.port ?? (firstPort === 0 ? 0 : firstPort + index),
      metricsGeneration: generation,
      adapters,
      slowdown: replica.slowdown ?? 1,
      ...(outputLength === undefined ? {} : { outputLength }),
    });
    const labels = { gpu: gpuOf(preset), version: "0.27.1", ...options.labels, ...replica.labels };
    return { id, model, labels, server };
  });
  await Promise.all(started.map(({ server }) => server.listen()));

  const serverOf = (id: string): ReplicaServer => {
    const found = started.find((replica) => replica.id === id);
    if (found === undefined) {
      throw new RangeError(`no simulated replica "${id}"; there are: ${started.map((r) => r.id).join(", ")}`);
    }
    return found.server;
  };
  return {
    replicas: started.map(({ id, model, labels, server }) => ({
      id,
      url: server.url,
      model,
      engine: "vllm",
      role: "unified",
      labels,
    })),
    fault: async (id, fault) => serverOf(id).fault(fault),
    state: (id) => serverOf(id).state,
    close: async () => {
      clock.stop();
      await Promise.all(started.map(({ server }) => server.close()));
    },
  };
}

/** The label an operator would give: the part of the preset's name after the model. */
function gpuOf(preset: PresetName): string {
  const parts = preset.split("-");
  const start = parts.findIndex((part) => /^(h100|h200|a100|l40s|rtx)/.test(part));
  return parts.slice(Math.max(start, 0)).join("-");
}
