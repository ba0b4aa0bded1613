import { join } from "node:path";
import { type NodeChild, startNodeChild, untilAnswers } from "./node-child.ts";
import { repositoryRoot } from "./repository-root.ts";
import { orEnd, reachable } from "./start-console.ts";

export interface RouterOptions {
  host: string;
  port: number;
  adminPort: number;
  databaseUrl: string | null;
  fleetFile: string;
  policyFile: string | null;
  dataDir: string;
  env?: Record<string, string>;
  onLine: (line: string) => void;
}

export interface RunningRouter extends NodeChild {
  url: string;
  adminUrl: string;
}

/** Runs the router and waits until it takes requests. */
export async function startRouter(options: RouterOptions): Promise<RunningRouter> {
  const child = startNodeChild({
    name: "router",
    args: [join(repositoryRoot, "apps", "router", "src", "main.ts")],
    cwd: repositoryRoot,
    env: {
      NODE_ENV: "production",
      // Simulated answers are short; a user's own setting wins.
      ROUTER_DRAIN_MS: process.env.ROUTER_DRAIN_MS ?? "10000",
      ...options.env,
      ROUTER_HOST: options.host,
      ROUTER_PORT: String(options.port),
      ROUTER_ADMIN_PORT: String(options.adminPort),
      DATABASE_URL: options.databaseUrl ?? "",
      FLEET_FILE: options.fleetFile,
      POLICY_FILE: options.policyFile ?? "",
      DATA_DIR: options.dataDir,
    },
    onLine: options.onLine,
  });
  const host = reachable(options.host);
  const url = `http://${host}:${options.port}`;
  const adminUrl = `http://${host}:${options.adminPort}`;
  await orEnd(child, untilAnswers(child, `${adminUrl}/healthz`));
  return { ...child, url, adminUrl };
}
