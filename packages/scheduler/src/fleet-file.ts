import { z } from "zod";
import { ENGINE_NAMES, REPLICA_ROLES, type Replica, segmentOf } from "./replica.ts";
import { isReplicaUrl } from "./replica-url.ts";
import { type DocumentProblem, schemaProblems } from "./schema-problems.ts";

/** Replica ids appear in headers, metrics and URLs: plain characters only. */
const REPLICA_ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;
/** No control character and no half of a surrogate pair: neither can be shown, and databases refuse them. */
const PLAIN_TEXT = /^[^\p{Cc}\p{Cs}]*$/u;
const plainText = z
  .string()
  .regex(PLAIN_TEXT, "holds a control character or half of a surrogate pair: remove it");

const replicaEntry = z.strictObject({
  id: z
    .string()
    .regex(REPLICA_ID, "use letters, digits and . _ : - (at most 128), starting with a letter or digit")
    .describe("Unique name of the replica."),
  url: z
    .string()
    .max(2048)
    .refine(
      isReplicaUrl,
      "use http://HOST:PORT or https://HOST[:PORT], with a port up to 65535, an optional path and no user or query",
    )
    .describe("Where the engine listens."),
  model: plainText.min(1).max(256).describe("Base model it serves, as clients ask for it."),
  engine: z.enum(ENGINE_NAMES).describe("Which engine's metrics and calls it speaks."),
  role: z.enum(REPLICA_ROLES).default("unified").describe("Which phase of a request it serves."),
  labels: z
    .record(
      plainText.min(1).max(64),
      z.union([plainText.max(256), z.number(), z.boolean()]).transform(String),
    )
    .default({})
    .describe("What pools select by. `version` and `quantization` also tell segments apart."),
  apiKeyEnv: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, "the name of an environment variable, not the key itself")
    .optional()
    .describe("Environment variable of the router that holds the engine's API key."),
});

/** The fleet file: the replicas a router may send to. */
export const fleetFile = z.strictObject({
  replicas: z.array(replicaEntry).min(1, "a fleet needs at least one replica").max(10_000),
});

/** A replica of the fleet file, with what only the router uses to reach it. */
export type FleetReplica = Replica & { readonly url: string; readonly apiKeyEnv?: string | undefined };

export type FleetFileProblem = DocumentProblem;

export type FleetFileResult =
  | { readonly ok: true; readonly replicas: FleetReplica[] }
  | { readonly ok: false; readonly problems: FleetFileProblem[] };

/**
 * Reads a fleet file that has been parsed from YAML or JSON. Never throws.
 * URLs lose their trailing slash.
 */
export function parseFleetFile(data: unknown): FleetFileResult {
  const parsed = fleetFile.safeParse(data, { reportInput: true });
  if (!parsed.success) return { ok: false, problems: schemaProblems(parsed.error.issues) };
  const problems: FleetFileProblem[] = [];
  const seen = new Map<string, number>();
  parsed.data.replicas.forEach((entry, index) => {
    const earlier = seen.get(entry.id);
    if (earlier === undefined) {
      seen.set(entry.id, index);
      return;
    }
    const message = `"${entry.id}" is already the id of replicas[${earlier}]: ids must be unique`;
    problems.push({ path: ["replicas", index, "id"], message, code: "duplicate_replica" });
  });
  if (problems.length > 0) return { ok: false, problems };
  const replicas = parsed.data.replicas.map((entry) => ({
    ...entry,
    url: entry.url.replace(/\/+$/, ""),
    segment: segmentOf(entry),
  }));
  return { ok: true, replicas };
}
