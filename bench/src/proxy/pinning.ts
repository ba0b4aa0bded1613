import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";

/** Cores of the run: everything but the proxy on one, the proxy alone on the other. */
export interface Cores {
  readonly world: number;
  readonly proxy: number;
}

export class PinningError extends Error {
  override readonly name = "PinningError";
  readonly code = "pinning_unavailable";
}

/**
 * Chooses two cores and puts this process, and with it all it starts unpinned, on the first.
 * @throws PinningError without taskset or a second core: unpinned figures would mean nothing
 */
export function choosePinning(): Cores {
  if (availableParallelism() < 2)
    throw new PinningError("bench:proxy needs two cores: one for the proxy alone.");
  const cores = { world: 0, proxy: 1 };
  const result = spawnSync("taskset", ["-a", "-p", "-c", String(cores.world), String(process.pid)], {
    encoding: "utf8",
  });
  if (result.status !== 0) {
    throw new PinningError(
      `bench:proxy needs taskset (Debian package util-linux): ${result.error?.message ?? result.stderr.trim()}`,
    );
  }
  return cores;
}

/** A command that runs on one core. */
export function pinned(core: number, command: readonly string[]): [string, ...string[]] {
  return ["taskset", "-c", String(core), ...command];
}
