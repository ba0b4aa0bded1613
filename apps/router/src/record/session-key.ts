import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * The key of the session hashes: the configured one, else one made once and kept in the data folder, so that a
 * session keeps its hash over restarts. Routers that should agree need SESSION_HASH_KEY.
 */
export async function readSessionHashKey(configured: string | null, dataDir: string): Promise<string> {
  if (configured !== null) return configured;
  const path = join(dataDir, "session-hash-key");
  const fresh = randomBytes(32).toString("hex");
  try {
    await mkdir(dataDir, { recursive: true });
    await writeFile(path, fresh, { flag: "wx", mode: 0o600 });
    return fresh;
  } catch {
    // It is there already, or the folder cannot be written: then the key lasts as long as this process.
    return readFile(path, "utf8").then(
      (kept) => kept.trim() || fresh,
      () => fresh,
    );
  }
}
