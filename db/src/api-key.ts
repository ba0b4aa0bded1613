import { parseArgs } from "node:util";
import { createApiKey, readApiKeys, revokeApiKey } from "./api-keys.ts";
import { type Db, openDb } from "./connect.ts";
import { DbError } from "./db-error.ts";

const USAGE = `usage, with DATABASE_URL set:
  api-key create NAME --reason WHY [--max-in-flight N]   makes a key and prints it, once
  api-key revoke ID --reason WHY
  api-key list
`;

/** The operator's command for the routers' API keys. Exit codes: 0 done, 1 refused, 2 wrong use. */
async function main(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: "boolean", short: "h", default: false },
      reason: { type: "string", default: "" },
      "max-in-flight": { type: "string" },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const url = process.env["DATABASE_URL"];
  const [command, subject] = positionals;
  const limit = values["max-in-flight"];
  const maxInFlight = limit === undefined ? null : Number(limit);
  const isUsable =
    command === "list" || ((command === "create" || command === "revoke") && subject !== undefined);
  if (!url || !isUsable || (maxInFlight !== null && !(Number.isInteger(maxInFlight) && maxInFlight > 0))) {
    process.stderr.write(USAGE);
    return 2;
  }
  const db = openDb({ url, applicationName: "evenkeel api-key", max: 1 });
  try {
    process.stdout.write(await run(db, command, subject ?? "", { reason: values.reason, maxInFlight }));
    return 0;
  } catch (error) {
    if (!(error instanceof DbError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  } finally {
    await db.close();
  }
}

async function run(
  db: Db,
  command: string,
  subject: string,
  { reason, maxInFlight }: { reason: string; maxInFlight: number | null },
): Promise<string> {
  const actor = { name: process.env["USER"] ?? "operator", role: null, origin: "cli" } as const;
  switch (command) {
    case "create": {
      const { id, key } = await createApiKey(db, { name: subject, maxInFlight, reason, actor });
      return `${id}\n${key}\n`;
    }
    case "revoke":
      await revokeApiKey(db, { id: subject, reason, actor });
      return `${subject} is revoked\n`;
    default: {
      const { keys } = await readApiKeys(db);
      return keys.map(({ id, name, maxInFlight: most }) => `${id}\t${name}\t${most ?? "-"}\n`).join("");
    }
  }
}

process.exitCode = await main();
