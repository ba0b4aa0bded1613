import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The secret that signs session cookies: the given one, else one made once and kept in `dataDir` for this user
 * alone, so that a restart signs nobody out.
 */
export function sessionSecret(given: string | undefined, dataDir: string): string {
  if (given !== undefined) return given;
  const path = join(dataDir, "console-secret");
  const kept = readKept(path);
  if (kept !== null) return kept;
  mkdirSync(dataDir, { recursive: true });
  try {
    const fresh = randomBytes(32).toString("base64url");
    // Fails when another process of this console was first; then its secret is ours too.
    writeFileSync(path, `${fresh}\n`, { mode: 0o600, flag: "wx" });
    return fresh;
  } catch (error) {
    const other = readKept(path);
    if (other !== null) return other;
    throw error;
  }
}

function readKept(path: string): string | null {
  try {
    const text = readFileSync(path, "utf8").trim();
    return text.length >= 32 ? text : null;
  } catch {
    return null;
  }
}
