import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { stringify } from "yaml";
import { readConfig } from "../config.ts";
import { type Router, startRouter } from "../start-router.ts";

export interface TestReplica {
  readonly id: string;
  readonly url: string;
  readonly model?: string;
  readonly apiKeyEnv?: string;
}

export interface RouterUnderTest {
  readonly url: string;
  readonly adminUrl: string;
  readonly port: number;
  readonly router: Router;
  readonly folder: string;
  readonly fleetFile: string;
  /** Log lines so far, parsed. */
  readonly logs: readonly Record<string, unknown>[];
  writeFleet(replicas: readonly TestReplica[]): Promise<void>;
  /** The value of an own metric without labels. */
  metric(name: string): Promise<number>;
  close(): Promise<void>;
}

export interface RouterUnderTestOptions {
  readonly replicas: readonly TestReplica[];
  /** The model's policy beside its name; round-robin unless given. */
  readonly policy?: Readonly<Record<string, unknown>>;
  /** Document-level recording options. */
  readonly recording?: Readonly<Record<string, unknown>>;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A router of a test's own on free ports, with a fleet file and a data folder of its own. */
export async function startRouterUnderTest(options: RouterUnderTestOptions): Promise<RouterUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), "evenkeel-router-"));
  const fleetFile = join(folder, "fleet.yaml");
  const policyFile = join(folder, "policy.yaml");
  const writeFleet = (replicas: readonly TestReplica[]) =>
    writeFile(
      fleetFile,
      stringify({ replicas: replicas.map((replica) => ({ model: "m", engine: "vllm", ...replica })) }),
    );
  await writeFleet(options.replicas);
  await writeFile(
    policyFile,
    stringify({
      version: 1,
      models: [{ name: "*", strategy: { type: "round-robin" }, ...options.policy }],
      ...(options.recording ? { recording: options.recording } : {}),
    }),
  );
  const logs: Record<string, unknown>[] = [];
  const logger = pino({ level: "info" }, { write: (line) => logs.push(JSON.parse(line)) });
  const config = readConfig({
    ROUTER_PORT: "0",
    ROUTER_ADMIN_PORT: "0",
    ROUTER_ID: "router-under-test",
    FLEET_FILE: fleetFile,
    POLICY_FILE: policyFile,
    DATA_DIR: join(folder, "data"),
    ROUTER_SCRAPE_INTERVAL_MS: "100",
    // Generous: what a loaded machine does to a probe is no subject of these tests.
    ROUTER_SCRAPE_TIMEOUT_MS: "20000",
    ROUTER_DRAIN_MS: "5000",
    ...options.environment,
  });
  const router = await startRouter(config, logger);
  const adminUrl = `http://127.0.0.1:${router.adminPort}`;
  return {
    url: `http://127.0.0.1:${router.port}`,
    adminUrl,
    port: router.port,
    router,
    folder,
    fleetFile,
    logs,
    writeFleet,
    metric: async (name) => {
      const text = await (await fetch(`${adminUrl}/metrics`)).text();
      const line = text.split("\n").find((candidate) => candidate.startsWith(`${name} `));
      if (line === undefined) throw new Error(`no metric ${name}`);
      return Number(line.slice(name.length + 1));
    },
    close: async () => {
      await router.drain();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Polls until a condition holds; the test's own time limit is the bound. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 25));
}

/** A chat request's options for `fetch`. */
export function chatRequest(
  body: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {},
): RequestInit {
  return {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hello" }], ...body }),
  };
}
