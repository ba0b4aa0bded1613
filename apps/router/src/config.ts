import { hostname } from "node:os";
import { z } from "zod";

/** The environment holds a value the router cannot start with. */
export class ConfigError extends Error {
  readonly code = "invalid_config";
  override readonly name = "ConfigError";
}

const port = z.coerce.number().int().min(0).max(65_535);
const durationMs = z.coerce.number().int().min(1).max(86_400_000);
const byteCount = z.coerce.number().int().min(1);

const environment = z.object({
  ROUTER_HOST: z.string().min(1).default("127.0.0.1"),
  ROUTER_PORT: port.default(8080),
  ROUTER_ADMIN_PORT: port.default(8081),
  ROUTER_ID: z
    .string()
    .regex(/^[\w.:-]{1,64}$/, "at most 64 letters, digits and . : _ -")
    .optional(),
  FLEET_FILE: z.string().min(1, "the path of the fleet file (YAML)"),
  POLICY_FILE: z.string().min(1).optional(),
  DATA_DIR: z.string().min(1).default(".data"),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "a postgres:// URL")
    .optional(),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
  SESSION_HASH_KEY: z.string().min(16, "at least 16 characters").optional(),
  /** Largest request body; a longer one is answered 413. */
  ROUTER_MAX_BODY_BYTES: byteCount.default(64 * 1024 * 1024),
  /** All request bodies held at once; past it a request is answered 429. */
  ROUTER_BODY_BUDGET_BYTES: byteCount.default(512 * 1024 * 1024),
  ROUTER_MAX_HEADER_BYTES: byteCount.min(1024).default(32 * 1024),
  /** Time to receive a whole request. */
  ROUTER_REQUEST_TIMEOUT_MS: durationMs.default(120_000),
  /** How long an idle client connection is kept: longer than the 60 s of common balancers in front. */
  ROUTER_KEEP_ALIVE_MS: durationMs.default(75_000),
  /** How long running requests may take to finish after SIGTERM. */
  ROUTER_DRAIN_MS: durationMs.default(30_000),
  ROUTER_SCRAPE_INTERVAL_MS: durationMs.default(1_000),
  ROUTER_SCRAPE_TIMEOUT_MS: durationMs.default(2_000),
  /** The collector's base URL, as every OpenTelemetry program takes it. Without it nothing is traced. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  /** Share of requests traced when the client's own trace does not decide. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
});

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly adminPort: number;
  readonly routerId: string;
  readonly fleetFile: string;
  readonly policyFile: string | null;
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  readonly logLevel: string;
  readonly sessionHashKey: string | null;
  readonly maxBodyBytes: number;
  readonly bodyBudgetBytes: number;
  readonly maxHeaderBytes: number;
  readonly requestTimeoutMs: number;
  readonly keepAliveMs: number;
  readonly drainMs: number;
  readonly scrapeIntervalMs: number;
  readonly scrapeTimeoutMs: number;
  /** Null when nothing is traced. */
  readonly tracing: { readonly endpoint: string; readonly ratio: number } | null;
  /** A secret by the name of its environment variable; null when it is not set. */
  readonly secret: (name: string) => string | null;
}

/**
 * Reads the configuration from environment variables; an empty variable counts as absent.
 * @throws ConfigError naming each variable that is wrong and what it should be.
 */
export function readConfig(variables: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => {
      const name = issue.path.join(".");
      return name in given
        ? `${name}: ${issue.message}`
        : `${name} is not set: set it to ${describeMissing(name)}`;
    });
    throw new ConfigError(problems.join("; "));
  }
  const env = parsed.data;
  return {
    host: env.ROUTER_HOST,
    port: env.ROUTER_PORT,
    adminPort: env.ROUTER_ADMIN_PORT,
    routerId: env.ROUTER_ID ?? `${hostname().slice(0, 48)}:${env.ROUTER_PORT}`,
    fleetFile: env.FLEET_FILE,
    policyFile: env.POLICY_FILE ?? null,
    dataDir: env.DATA_DIR,
    databaseUrl: env.DATABASE_URL ?? null,
    logLevel: env.LOG_LEVEL,
    sessionHashKey: env.SESSION_HASH_KEY ?? null,
    maxBodyBytes: env.ROUTER_MAX_BODY_BYTES,
    bodyBudgetBytes: env.ROUTER_BODY_BUDGET_BYTES,
    maxHeaderBytes: env.ROUTER_MAX_HEADER_BYTES,
    requestTimeoutMs: env.ROUTER_REQUEST_TIMEOUT_MS,
    keepAliveMs: env.ROUTER_KEEP_ALIVE_MS,
    drainMs: env.ROUTER_DRAIN_MS,
    scrapeIntervalMs: env.ROUTER_SCRAPE_INTERVAL_MS,
    scrapeTimeoutMs: env.ROUTER_SCRAPE_TIMEOUT_MS,
    tracing:
      env.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? null
        : {
            endpoint: `${env.OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/+$/, "")}/v1/traces`,
            ratio: env.OTEL_TRACES_SAMPLER_ARG,
          },
    secret: (name) => variables[name] || null,
  };
}

function describeMissing(name: string): string {
  return name === "FLEET_FILE" ? "the path of a YAML file that lists your replicas" : "a value";
}
