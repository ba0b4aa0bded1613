import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";

const folder = new URL("../migrations/", import.meta.url);
const journal = z.object({
  entries: z.array(z.object({ idx: z.number(), tag: z.string(), when: z.number() })),
});

test("every migration file is in the journal, in order, and says something", () => {
  const { entries } = journal.parse(JSON.parse(readFileSync(new URL("meta/_journal.json", folder), "utf8")));
  const files = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  expect(files.sort()).toEqual(entries.map((entry) => `${entry.tag}.sql`));
  expect(entries.map((entry) => entry.idx)).toEqual(entries.map((_, i) => i));
  // A migration older than one before it would be skipped by databases that have the earlier one.
  const times = entries.map((entry) => entry.when);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  for (const file of files) {
    const statements = readFileSync(new URL(file, folder), "utf8").replaceAll(/^--.*$/gm, "");
    expect(statements.trim(), file).not.toBe("");
  }
});
