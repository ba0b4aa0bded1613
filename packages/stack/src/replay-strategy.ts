import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ReplayReport, replayOverHttp } from "@evenkeel/sim/http-replay";
import { modelOfPreset } from "@evenkeel/sim/replica-presets";
import { startSimFleet } from "@evenkeel/sim/sim-fleet";
import type { TraceRequest } from "@evenkeel/sim/traces/trace-request";
import { stringify } from "yaml";
import { freePort } from "./free-port.ts";
import type { ReplayOptions } from "./replay-options.ts";
import { startRouter } from "./start-router.ts";

/** Replays under one strategy on fresh replicas behind a fresh router; nothing is learned from an earlier run. */
export async function replayStrategy(
  strategy: string,
  requests: readonly TraceRequest[],
  options: ReplayOptions,
  signal: AbortSignal,
  onProgress: (sent: number, finished: number) => void,
): Promise<ReplayReport> {
  const dataDir = mkdtempSync(join(tmpdir(), "evenkeel-replay-"));
  const model = modelOfPreset(options.preset);
  const fleet = await startSimFleet({
    replicas: options.replicas,
    preset: options.preset,
    seed: options.seed,
  });
  try {
    const fleetFile = join(dataDir, "fleet.yaml");
    const policyFile = join(dataDir, "policy.yaml");
    writeFileSync(fleetFile, stringify({ replicas: fleet.replicas }));
    writeFileSync(
      policyFile,
      stringify({ version: 1, models: [{ name: "*", strategy: { type: strategy } }] }),
    );
    const router = await startRouter({
      host: "127.0.0.1",
      port: await freePort(),
      adminPort: await freePort(),
      // Routing does not depend on the database, and nobody looks at these decisions later.
      databaseUrl: null,
      fleetFile,
      policyFile,
      dataDir,
      env: { LOG_LEVEL: "warn" },
      onLine: (line) => process.stderr.write(`${line}\n`),
    });
    try {
      return await replayOverHttp({
        baseUrl: router.url,
        model,
        requests,
        speed: options.speed,
        seed: options.seed,
        signal,
        onProgress: ({ sent, finished }) => onProgress(sent, finished),
        sampleLoads: () => fleet.replicas.map(({ id }) => fleet.state(id).running),
      });
    } finally {
      await router.stop();
    }
  } finally {
    await fleet.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
