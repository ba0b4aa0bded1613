import { appendFileSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const MAX_BYTES = 20_000_000;

/** A log file begun anew; when full it becomes `<file>.1` and begins again, so that months of running stay small. */
export function logFile(file: string): (line: string) => void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "");
  let bytes = 0;
  return (line) => {
    const text = `${line}\n`;
    if (bytes > MAX_BYTES) {
      renameSync(file, `${file}.1`);
      bytes = 0;
    }
    // Synchronous: a line printed just before a crash is the one that matters.
    appendFileSync(file, text);
    bytes += text.length;
  };
}
