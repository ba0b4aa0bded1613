import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "@evenkeel/stack/free-port";
import { BENCH_MODEL } from "../prompt-bodies.ts";
import { peerVenv } from "./peer-venv.ts";
import { startProgram } from "./program.ts";
import type { Target } from "./target.ts";

/** LiteLLM's proxy with one worker and its default strategy; no key, no database, nothing but loopback. */
export function litellm(peers: string): Target {
  const venv = peerVenv(peers, "litellm");
  return {
    name: "litellm",
    describe: () => `litellm ${venv.version()} from PyPI, proxy with one worker, simple-shuffle, no database`,
    missing: () => (venv.version() === null ? "not installed (--install-peers installs it)" : null),
    start: async ({ replicaPorts, folder, core }) => {
      const port = await freePort();
      const file = join(folder, "litellm.yaml");
      writeFileSync(file, configuration(replicaPorts));
      const command = [
        venv.program("litellm"),
        ...["--config", file, "--host", "127.0.0.1", "--port", String(port), "--num_workers", "1"],
        ...["--telemetry", "False"],
      ];
      const env = {
        LITELLM_LOCAL_MODEL_COST_MAP: "True",
        LITELLM_MODE: "PRODUCTION",
        LITELLM_LOG: "ERROR",
        NO_DOCS: "True",
        // It listens on loopback for the length of a measurement; checking a key would only cost it time.
        LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY: "true",
      };
      const program = await startProgram({ command, core, folder, port, env });
      return { ports: [port], database: null, ...program };
    },
  };
}

function configuration(replicaPorts: readonly number[]): string {
  const models = replicaPorts.map(
    (port) => `  - model_name: ${BENCH_MODEL}
    litellm_params:
      model: openai/${BENCH_MODEL}
      api_base: http://127.0.0.1:${port}/v1
      api_key: none`,
  );
  return `model_list:\n${models.join("\n")}\nlitellm_settings:\n  telemetry: false\n`;
}
