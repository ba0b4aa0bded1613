import { resolve } from "node:path";
import { z } from "zod";
import { repositoryRoot } from "./repository-root.ts";
import { StackError } from "./stack-error.ts";

const portRule = "must be a port up to 65535, or 0 to have a free one picked";
const port = z.coerce.number(portRule).int(portRule).min(0, portRule).max(65_535, portRule);

const environment = z.object({
  DATA_DIR: z.string().default(".data"),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: "must be a postgres:// address" }).optional(),
  POSTGRES_PORT: port.default(0),
  FLEET_FILE: z.string().optional(),
  POLICY_FILE: z.string().optional(),
  ROUTER_HOST: z.string().default("127.0.0.1"),
  ROUTER_PORT: port.default(8080),
  ROUTER_ADMIN_PORT: port.default(8081),
  CONSOLE_HOST: z.string().default("127.0.0.1"),
  CONSOLE_PORT: port.default(3000),
  SIM_REPLICAS: z.coerce.number().int().min(1).max(1000).default(8),
  SIM_LOAD: z.coerce.number().min(0, "must be 0 or more requests per second").optional(),
});

/** What `npm start` can be told; every field is an environment variable. */
export interface StackSettings {
  dataDir: string;
  /** null: an embedded Postgres under dataDir. */
  databaseUrl: string | null;
  postgresPort: number;
  /** null: simulated replicas with load. */
  fleetFile: string | null;
  policyFile: string | null;
  routerHost: string;
  routerPort: number;
  routerAdminPort: number;
  consoleHost: string;
  /** null: no console. */
  consolePort: number | null;
  simReplicas: number;
  /** Requests per second; null: what keeps the simulated replicas busy but well; 0: none. */
  simLoadRps: number | null;
}

/**
 * Reads the settings; an empty variable counts as absent. Relative paths are relative to the repository.
 *
 * @throws StackError configuration, naming each variable at fault
 */
export function stackSettings(variables: Readonly<Record<string, string | undefined>>): StackSettings {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ""));
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(
      (issue) => `${issue.path.join(".")}=${given[issue.path.join(".")]}: ${issue.message}`,
    );
    throw new StackError("configuration", faults.join("\n"));
  }
  const env = parsed.data;
  const path = (file: string | undefined) => (file === undefined ? null : resolve(repositoryRoot, file));
  return {
    dataDir: resolve(repositoryRoot, env.DATA_DIR),
    databaseUrl: env.DATABASE_URL ?? null,
    postgresPort: env.POSTGRES_PORT,
    fleetFile: path(env.FLEET_FILE),
    policyFile: path(env.POLICY_FILE),
    routerHost: env.ROUTER_HOST,
    routerPort: env.ROUTER_PORT,
    routerAdminPort: env.ROUTER_ADMIN_PORT,
    consoleHost: env.CONSOLE_HOST,
    consolePort: env.CONSOLE_PORT,
    simReplicas: env.SIM_REPLICAS,
    simLoadRps: env.SIM_LOAD ?? null,
  };
}
