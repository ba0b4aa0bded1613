import { freePort } from "@evenkeel/stack/free-port";
import { peerVenv } from "./peer-venv.ts";
import { startProgram } from "./program.ts";
import type { Target } from "./target.ts";

interface RouterPackage {
  /** Name of the package and of its program. */
  readonly name: "vllm-router" | "sglang-router";
  readonly arguments: readonly string[];
  /** Its word for logging warnings only. */
  readonly quietLevel: string;
}

const VLLM: RouterPackage = { name: "vllm-router", arguments: [], quietLevel: "warning" };
const SGLANG: RouterPackage = { name: "sglang-router", arguments: ["launch"], quietLevel: "warn" };

/** vLLM's router with its own defaults but for the policy. */
export function vllmRouter(peers: string, policy: string): Target {
  return routerTarget(peers, VLLM, policy);
}

/** SGLang's router with its own defaults but for the policy. */
export function sglangRouter(peers: string, policy: string): Target {
  return routerTarget(peers, SGLANG, policy);
}

function routerTarget(peers: string, router: RouterPackage, policy: string): Target {
  const venv = peerVenv(peers, router.name);
  return {
    name: `${router.name}:${policy}`,
    describe: () =>
      `${router.name} ${venv.version()} from PyPI, policy ${policy}, else its defaults, log at warnings`,
    missing: () => (venv.version() === null ? "not installed (--install-peers installs it)" : null),
    start: async ({ replicaPorts, folder, core }) => {
      const [port, metricsPort] = [await freePort(), await freePort()];
      const flags = {
        "--host": "127.0.0.1",
        "--port": String(port),
        "--policy": policy,
        "--prometheus-host": "127.0.0.1",
        "--prometheus-port": String(metricsPort),
        "--log-level": router.quietLevel,
      };
      const urls = replicaPorts.map((replica) => `http://127.0.0.1:${replica}`);
      const command = [
        venv.program(router.name),
        ...router.arguments,
        ...Object.entries(flags).flat(),
        "--worker-urls",
        ...urls,
      ];
      const program = await startProgram({ command, core, folder, port });
      return { ports: [port], database: null, ...program };
    },
  };
}
