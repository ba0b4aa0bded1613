import type { ProcessTree } from "../process-tree.ts";

/** Something that stands between clients and replicas, or nothing. */
export interface Target {
  readonly name: string;
  /** Version and settings in a few words, for the report. */
  describe(): string;
  /** Why it cannot run here, null when it can. */
  missing(): string | null;
  /** Resolves once it answers. @throws Error with the reason it does not start */
  start(setting: TargetSetting): Promise<RunningTarget>;
}

export interface TargetSetting {
  readonly replicaPorts: readonly number[];
  /** An empty folder of its own. */
  readonly folder: string;
  /** The core it has alone. */
  readonly core: number;
}

export interface RunningTarget {
  /** Where clients send to; several only without a proxy. */
  readonly ports: readonly number[];
  /** Null without a proxy. */
  readonly process: ProcessTree | null;
  /** What it writes to on another core, null when it has none. */
  readonly database: ProcessTree | null;
  stop(): Promise<void>;
}

/** Clients speak to the replicas themselves: what every other target is compared with. */
export const direct: Target = {
  name: "direct",
  describe: () => "no proxy: clients send to the replicas in turn",
  missing: () => null,
  start: async ({ replicaPorts }) => ({
    ports: replicaPorts,
    process: null,
    database: null,
    stop: async () => {},
  }),
};
