import type { AdapterAddress, AdapterAdmin } from "./adapter-admin.ts";
import type { AnswerClass } from "./answer-class.ts";
import type { EngineMetrics, MetricsReading } from "./engine-metrics.ts";
import type { EngineName } from "./engine-name.ts";

/** How to talk to one kind of engine: data and pure functions only. The router does the talking. */
export interface EngineDialect {
  readonly name: EngineName;
  /** As the engine's own documents write it. */
  readonly title: string;
  readonly metrics: {
    /** Tried in order until one answers with the engine's series; each may need an option on the engine. */
    readonly paths: readonly string[];
    /** A port of its own for metrics, null when it is the serving port. */
    readonly port: number | null;
    readonly read: (body: string) => MetricsReading;
    /** Said when no path works. */
    readonly hint: string;
  };
  readonly health: {
    /** Cheap, and touches no load counter. */
    readonly path: string;
    /** Time to allow: some engines really generate a token. */
    readonly timeoutMs: number;
    readonly isReady: (status: number) => boolean;
  };
  /** Lists models and adapters, null when the engine has no such path. */
  readonly modelsPath: string | null;
  /** The server closes an idle connection after this time; the client's pool must let go sooner. Null: unknown. */
  readonly keepAliveMs: number | null;
  /** Largest body it takes, null when unlimited. */
  readonly maxBodyBytes: number | null;
  /** What it does when a client goes away, in words for the operator. */
  readonly abort: string;
  readonly adapters: {
    /** How a request names an adapter of a base model. */
    readonly address: (base: string, adapter: string) => AdapterAddress;
    /** Loading and unloading at run time, null when the engine cannot. */
    readonly admin: AdapterAdmin | null;
  };
  /** True when it queues without end and never refuses: shedding is then the router's task alone. */
  readonly queuesWithoutLimit: boolean;
  /** @param bodyPrefix the first ERROR_PREFIX_BYTES of the body */
  readonly classifyAnswer: (status: number, bodyPrefix: string) => AnswerClass;
}

export type { EngineMetrics };
