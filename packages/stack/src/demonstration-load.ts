import { type Load, startLoad } from "@evenkeel/sim/load-generator";

export interface DemonstrationLoadOptions {
  routerUrl: string;
  model: string;
  replicas: number;
  /** Requests per second in all; null: what keeps the replicas busy but well. */
  rps: number | null;
  seed: number;
}

/** Chat by many and long conversations by a few: the first fills the queues, the second the KV caches. */
export function startDemonstrationLoad(options: DemonstrationLoadOptions): Pick<Load, "stop"> {
  const rps = options.rps ?? options.replicas * 1.25;
  const target = { url: options.routerUrl, model: options.model };
  const loads = [
    startLoad({ ...target, profile: "chat", rate: rps * 0.5, seed: options.seed }),
    startLoad({ ...target, profile: "power-users", rate: rps * 0.5, seed: options.seed + 1 }),
  ];
  return {
    stop: async () => {
      await Promise.all(loads.map((load) => load.stop()));
    },
  };
}
