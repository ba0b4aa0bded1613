import { env } from "#env.ts";
import { db } from "./db.ts";
import { needsSetup } from "./first-admin.ts";
import { setupToken } from "./setup-token.ts";

const RETRY_MS = 2_000;

/**
 * Prints one line of JSON when the console waits for its first admin: the address that lets them in. Keeps asking
 * while the database is away, without holding up the start.
 */
export async function announce(): Promise<void> {
  const { CONSOLE_ORIGIN, HOSTNAME, PORT } = env();
  // A wildcard address is not one that can be opened.
  const host = HOSTNAME === "0.0.0.0" || HOSTNAME === "::" ? "localhost" : HOSTNAME;
  const origin = CONSOLE_ORIGIN ?? `http://${host}:${PORT}`;
  const tryOnce = async (): Promise<void> => {
    try {
      if (!(await needsSetup(db()))) return;
      const url = new URL("/setup", origin);
      url.searchParams.set("token", setupToken());
      console.log(JSON.stringify({ level: "info", event: "console_setup", url: url.href }));
    } catch {
      setTimeout(() => void tryOnce(), RETRY_MS).unref();
    }
  };
  await tryOnce();
}
