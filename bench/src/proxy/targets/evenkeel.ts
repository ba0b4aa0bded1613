import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "@evenkeel/stack/free-port";
import { startPostgres } from "@evenkeel/stack/postgres";
import { prepareDatabase } from "@evenkeel/stack/prepare-database";
import { repositoryRoot } from "@evenkeel/stack/repository-root";
import { ProcessTree } from "../process-tree.ts";
import { BENCH_MODEL } from "../prompt-bodies.ts";
import { startProgram } from "./program.ts";
import type { Target } from "./target.ts";

/** Evenkeel's router as it runs in production, with every decision recorded in a durable Postgres on the other core. */
export function evenkeel(strategy: string, isRecording = true): Target {
  return {
    name: isRecording ? `evenkeel:${strategy}` : `evenkeel:${strategy}:unrecorded`,
    describe: () =>
      isRecording
        ? `the router with strategy ${strategy}, engine metrics read every second, every decision recorded in Postgres`
        : `the router with strategy ${strategy}, without a database`,
    missing: () => null,
    start: async ({ replicaPorts, folder, core }) => {
      const [port, adminPort] = [await freePort(), await freePort()];
      const fleetFile = join(folder, "fleet.yaml");
      const policyFile = join(folder, "policy.yaml");
      writeFileSync(fleetFile, fleet(replicaPorts));
      writeFileSync(policyFile, `version: 1\nmodels:\n  - name: "*"\n    strategy: { type: ${strategy} }\n`);
      const postgres = isRecording ? await startPostgres({ dataDir: join(folder, "postgres") }) : null;
      try {
        if (postgres !== null) await prepareDatabase(postgres.url);
        const program = await startProgram({
          command: [
            process.execPath,
            ...profiling(process.env.ROUTER_CPU_PROFILE_DIR, strategy),
            join(repositoryRoot, "apps", "router", "src", "main.ts"),
          ],
          core,
          folder,
          port,
          env: {
            NODE_ENV: "production",
            ROUTER_HOST: "127.0.0.1",
            ROUTER_PORT: String(port),
            ROUTER_ADMIN_PORT: String(adminPort),
            FLEET_FILE: fleetFile,
            POLICY_FILE: policyFile,
            DATA_DIR: join(folder, "router"),
            DATABASE_URL: postgres?.url ?? "",
          },
        });
        return {
          ports: [port],
          process: program.process,
          database: postgres === null ? null : new ProcessTree(postgres.pid),
          stop: async () => {
            await program.stop();
            await postgres?.stop();
          },
        };
      } catch (error) {
        await postgres?.stop();
        throw error;
      }
    },
  };
}

function profiling(folder: string | undefined, strategy: string): string[] {
  if (folder === undefined) return [];
  return ["--cpu-prof", `--cpu-prof-dir=${folder}`, `--cpu-prof-name=${strategy}-${Date.now()}.cpuprofile`];
}

function fleet(replicaPorts: readonly number[]): string {
  const replicas = replicaPorts.map(
    (port, index) =>
      `  - { id: r${index + 1}, url: "http://127.0.0.1:${port}", model: ${BENCH_MODEL}, engine: vllm }`,
  );
  return `replicas:\n${replicas.join("\n")}\n`;
}
