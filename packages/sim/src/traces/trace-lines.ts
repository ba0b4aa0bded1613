import { createReadStream } from "node:fs";
import { access } from "node:fs/promises";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";

/**
 * Yields the non-empty lines of a text file, gzipped when its name ends in .gz, with their numbers from 1.
 * @throws Error that names the file when it cannot be read
 */
export async function* traceLines(
  file: string,
): AsyncGenerator<{ readonly number: number; readonly text: string }> {
  await access(file).catch(() => {
    throw new Error(`cannot read the trace file ${file}`);
  });
  const raw = createReadStream(file);
  const source: Readable = file.endsWith(".gz") ? raw.pipe(createGunzip()) : raw;
  // Without this an error of the file would be lost behind the decompressor.
  raw.on("error", (error) => source.destroy(error));
  let number = 0;
  for await (const text of createInterface({ input: source, crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    if (text.trim() !== "") yield { number, text };
  }
}
