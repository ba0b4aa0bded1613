import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type CompiledPolicy, compilePolicy } from "@evenkeel/scheduler/compile-policy";
import { z } from "zod";

const stored = z.object({ revision: z.number().int().min(1), document: z.unknown() });

/** The last revision this router applied, kept on disk so that it can start while the database is away. */
export class LastGoodPolicy {
  readonly #folder: string;
  readonly #path: string;

  constructor(dataDir: string) {
    this.#folder = dataDir;
    this.#path = join(dataDir, "last-good-policy.json");
  }

  /** Null when none was kept, or when this release cannot use it any more. */
  async read(): Promise<CompiledPolicy | null> {
    let text: string;
    try {
      text = await readFile(this.#path, "utf8");
    } catch {
      return null;
    }
    const parsed = stored.safeParse(parseJson(text));
    if (!parsed.success) return null;
    const compiled = compilePolicy(parsed.data.document, parsed.data.revision);
    return compiled.ok ? compiled.policy : null;
  }

  /** Replaces the kept policy in one step: a crash leaves the old one or the new one. */
  async write(policy: CompiledPolicy): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const draft = `${this.#path}.${process.pid}.new`;
    await writeFile(draft, JSON.stringify({ revision: policy.revision, document: policy.document }));
    await rename(draft, this.#path);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
