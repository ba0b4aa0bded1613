import { cpus, release, totalmem } from "node:os";

export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly kernel: string;
  readonly node: string;
  /** One-minute load average before the run: near 0 on an idle machine. */
  readonly loadBefore: number;
}

/** What a reader needs to know of the machine; nothing that names it. */
export function describeMachine(loadBefore: number): Machine {
  const all = cpus();
  return {
    processor: all[0]?.model.trim() ?? "unknown",
    cores: all.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    kernel: `${process.platform} ${release().split("-")[0] ?? ""}`,
    node: process.version,
    loadBefore,
  };
}
