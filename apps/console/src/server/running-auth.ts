import "server-only";
import { resolve } from "node:path";
import { env } from "#env.ts";
import { type Auth, createAuth } from "./auth.ts";
import { db } from "./db.ts";
import { perProcess } from "./per-process.ts";
import { sessionSecret } from "./secret.ts";

/** Sign-in of this process. */
export function auth(): Auth {
  return perProcess("auth", () => {
    const settings = env();
    const secret = sessionSecret(settings.CONSOLE_SECRET, resolve(settings.DATA_DIR));
    return createAuth(db(), { secret, origin: settings.CONSOLE_ORIGIN ?? null });
  });
}
