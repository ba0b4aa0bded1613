import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ApiKeyRing, readApiKeys } from "@evenkeel/db/api-keys";
import type { Db } from "@evenkeel/db/connect";
import type { Logger } from "pino";
import { z } from "zod";
import type { ApiKeys } from "./api-keys.ts";

const stored = z.object({
  isRequired: z.boolean(),
  keys: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      hash: z.string().regex(/^[0-9a-f]{64}$/),
      maxInFlight: z.number().int().positive().nullable(),
    }),
  ),
});

/** The hashes known last, kept on disk: a start without the database must let in the same clients as before. */
export class KeptApiKeys {
  readonly #folder: string;
  readonly #path: string;

  constructor(dataDir: string) {
    this.#folder = dataDir;
    this.#path = join(dataDir, "api-keys.json");
  }

  /** Null when none were kept. */
  async read(): Promise<ApiKeyRing | null> {
    try {
      const parsed = stored.safeParse(JSON.parse(await readFile(this.#path, "utf8")));
      return parsed.success ? parsed.data : null;
    } catch {
      return null;
    }
  }

  async write(ring: ApiKeyRing): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const draft = `${this.#path}.${process.pid}.new`;
    await writeFile(draft, JSON.stringify(ring), { mode: 0o600 });
    await rename(draft, this.#path);
  }
}

export interface ApiKeyWatchOptions {
  readonly db: Db;
  readonly keys: ApiKeys;
  readonly kept: KeptApiKeys;
  readonly logger: Logger;
  readonly pollMs: number;
}

/** Follows the valid keys. While the database is away the last ones known stay. */
export class ApiKeyWatch {
  readonly #options: ApiKeyWatchOptions;
  readonly #timer: NodeJS.Timeout;
  #known = "";
  #running: Promise<void> | null = null;

  constructor(options: ApiKeyWatchOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#check(), options.pollMs);
    this.#check();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  #check(): void {
    this.#running ??= this.#look().finally(() => {
      this.#running = null;
    });
  }

  async #look(): Promise<void> {
    const { db, keys, kept, logger } = this.#options;
    try {
      const ring = await readApiKeys(db);
      keys.replace(ring);
      const known = JSON.stringify(ring);
      if (known === this.#known) return;
      this.#known = known;
      logger.info({ keys: ring.keys.length, isRequired: ring.isRequired }, "API keys read");
      await kept.write(ring);
    } catch (error) {
      logger.debug({ err: error }, "API keys cannot be read: the last ones known stay");
    }
  }
}
