import { z } from "zod";

const address = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
  error: "must list addresses or networks such as 10.0.0.0/8, separated by commas",
});

/** The only reader of `process.env` in the console. Read when first used, so that a build needs no environment. */
const environment = z.object({
  /** Postgres; the console connects with the role `evenkeel_console`. */
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: "must be a postgres:// address" }),
  /** Holds the generated signing secret when CONSOLE_SECRET is absent. */
  DATA_DIR: z.string().min(1).default(".data"),
  /** Signs session cookies; at least 32 characters. */
  CONSOLE_SECRET: z.string().min(32, "must have at least 32 characters").optional(),
  /** Address people type, such as `https://console.example`; cookies are `Secure` when it is https. */
  CONSOLE_ORIGIN: z.url({ protocol: /^https?$/ }).optional(),
  /** Proxies whose `X-Forwarded-For` is believed: addresses and CIDR networks, separated by commas. */
  CONSOLE_TRUSTED_PROXIES: z
    .string()
    .default("")
    .transform((text) =>
      text
        .split(",")
        .map((part) => part.trim())
        .filter((part) => part !== ""),
    )
    .pipe(z.array(address)),
  CONSOLE_ENVIRONMENT: z.string().min(1).max(24).default("local"),
  /** Colour of the environment band, `#rrggbb`. */
  CONSOLE_ENVIRONMENT_COLOUR: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, "must look like #C6E03A")
    .optional(),
  HOSTNAME: z.string().default("127.0.0.1"),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
});

export type Env = z.infer<typeof environment>;

/** An environment variable is absent or malformed; the message names each and what it must be. */
export class EnvironmentError extends Error {
  readonly code = "invalid_environment";
}

export const isDevelopment = process.env.NODE_ENV === "development";

let parsed: Env | null = null;

/** Settings of this process. @throws EnvironmentError naming every variable at fault. */
export function env(): Env {
  if (parsed !== null) return parsed;
  // An empty variable means "not set": compose files and shells pass those.
  const given = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ""));
  const result = environment.safeParse(given);
  if (!result.success) {
    const faults = result.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
    throw new EnvironmentError(`The console cannot start. ${faults.join("; ")}`);
  }
  parsed = result.data;
  return parsed;
}
