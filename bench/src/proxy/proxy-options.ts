import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { numberFlag } from "@evenkeel/sim/number-flag";
import { evenkeel } from "./targets/evenkeel.ts";
import { haproxy } from "./targets/haproxy.ts";
import { litellm } from "./targets/litellm.ts";
import { nginx } from "./targets/nginx.ts";
import { sglangRouter, vllmRouter } from "./targets/rust-routers.ts";
import { direct, type Target } from "./targets/target.ts";

export interface ProxyOptions {
  readonly json: string | null;
  readonly out: string | null;
  /** Always with `direct` first. */
  readonly targets: readonly Target[];
  readonly isQuick: boolean;
  readonly repeats: number;
  readonly seed: number;
  readonly limitMinutes: number;
  readonly peers: string;
  readonly installPeers: boolean;
}

/** What pip is asked for, with --install-peers. */
export const PEER_REQUIREMENTS = ["vllm-router", "sglang-router", "litellm[proxy]"] as const;

const DEFAULT_TARGETS = [
  "evenkeel:round-robin",
  "evenkeel:least-request",
  "evenkeel:predicted-cost",
  "haproxy",
  "nginx",
  "vllm-router:round_robin",
  "vllm-router:cache_aware",
  "sglang-router:cache_aware",
  "litellm",
];

export const PROXY_HELP = `npm run bench:proxy -- [options]

Measures Evenkeel's router, other proxies and other LLM routers one after the other in front of the same replicas, with
the same load, each alone on one core. Everything stays on the loopback interface. Needs Linux, two cores, taskset and
wrk; what else is missing is left out and named.

  --json OUT        write all figures
  --out FILE        write the tables into a Markdown file's generated section
  --targets a,b     default ${DEFAULT_TARGETS.join(",")}
                    also evenkeel:STRATEGY for any strategy, evenkeel:STRATEGY:unrecorded for no database
  --quick           one short round: to see that it works, not to be quoted
  --repeats N       rounds over all targets, medians are reported (default 3)
  --seed N          default 1
  --minutes N       no new target is started after this long (default 60)
  --install-peers   install ${PEER_REQUIREMENTS.join(", ")} with pip first
  --peers DIR       where their virtual environments are (default: a folder under the system's temporary one)
`;

/** Reads the command line. @throws RangeError that names the flag */
export function proxyOptions(args: readonly string[]): ProxyOptions | "help" {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: "boolean", default: false },
      json: { type: "string" },
      out: { type: "string" },
      targets: { type: "string", default: DEFAULT_TARGETS.join(",") },
      quick: { type: "boolean", default: false },
      repeats: { type: "string" },
      seed: { type: "string", default: "1" },
      minutes: { type: "string", default: "60" },
      "install-peers": { type: "boolean", default: false },
      peers: { type: "string", default: join(tmpdir(), "evenkeel-bench-peers") },
    },
  });
  if (values.help) return "help";
  const names = values.targets.split(",").filter((name) => name !== "" && name !== direct.name);
  return {
    json: values.json ?? null,
    out: values.out ?? null,
    targets: [direct, ...names.map((name) => targetNamed(name, values.peers))],
    isQuick: values.quick,
    repeats: numberFlag("--repeats", values.repeats ?? (values.quick ? "1" : "3"), {
      min: 1,
      isInteger: true,
    }),
    seed: numberFlag("--seed", values.seed, { min: 1, isInteger: true }),
    limitMinutes: numberFlag("--minutes", values.minutes, { min: 1 }),
    peers: values.peers,
    installPeers: values["install-peers"],
  };
}

function targetNamed(name: string, peers: string): Target {
  const [program, setting, recording] = name.split(":");
  switch (program) {
    case "haproxy":
      return haproxy;
    case "nginx":
      return nginx;
    case "litellm":
      return litellm(peers);
    case "vllm-router":
      return vllmRouter(peers, setting ?? "cache_aware");
    case "sglang-router":
      return sglangRouter(peers, setting ?? "cache_aware");
    case "evenkeel":
      return evenkeel(setting ?? "predicted-cost", recording !== "unrecorded");
    default:
      throw new RangeError(`--targets: "${name}" is not one of ${DEFAULT_TARGETS.join(", ")}`);
  }
}
