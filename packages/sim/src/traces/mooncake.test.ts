import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { PromptTokens } from "../prompt-tokens.ts";
import { traceText } from "../trace-text.ts";
import { parseMooncakeLine, readMooncakeTrace, spreadTicks } from "./mooncake.ts";
import { traceWindow } from "./trace-request.ts";

const LINES = [
  { timestamp: 3000, input_length: 1100, output_length: 20, hash_ids: [0, 4, 5] },
  { timestamp: 0, input_length: 1024, output_length: 0, hash_ids: [0, 1] },
];

test("a gzipped trace is read in time order, with sessions named by the second block", async () => {
  const folder = await mkdtemp(join(tmpdir(), "trace-"));
  const file = join(folder, "trace.jsonl.gz");
  await writeFile(file, gzipSync(LINES.map((line) => JSON.stringify(line)).join("\n")));
  const requests = await readMooncakeTrace(file);
  await rm(folder, { recursive: true });
  expect(requests.map(({ atMs, sessionKey, outputTokens }) => [atMs, sessionKey, outputTokens])).toEqual([
    [0, "mooncake-1", 1],
    [3000, "mooncake-4", 20],
  ]);
});

test("a wrong line is refused with its number and field", () => {
  const parse = (line: unknown): unknown => parseMooncakeLine(JSON.stringify(line), "t.jsonl", 7);
  expect(() => parse({ ...LINES[0], input_length: "long" })).toThrow(/t\.jsonl, line 7: input_length/);
  expect(() => parse({ ...LINES[0], hash_ids: [1] })).toThrow(/line 7: hash_ids: expected 3/);
  expect(() => parseMooncakeLine("{", "t.jsonl", 7)).toThrow(/line 7: not a JSON object/);
});

test("a missing file is named", async () => {
  await expect(readMooncakeTrace("/nowhere/trace.jsonl.gz")).rejects.toThrow("/nowhere/trace.jsonl.gz");
});

test("spreading keeps every request within its tick and is determined by the seed", () => {
  const requests = LINES.map((line, index) => parseMooncakeLine(JSON.stringify(line), "t", index + 1));
  const spread = spreadTicks(requests, 9);
  expect(spread).toEqual(spreadTicks(requests, 9));
  for (const request of spread) {
    const original = requests.find(({ blockIds }) => blockIds === request.blockIds);
    expect(request.atMs - (original?.atMs ?? 0)).toBeGreaterThanOrEqual(0);
    expect(request.atMs - (original?.atMs ?? 0)).toBeLessThan(3000);
  }
});

test("a window counts its time from its start", () => {
  const requests = LINES.map((line, index) => parseMooncakeLine(JSON.stringify(line), "t", index + 1));
  expect(traceWindow(requests, 1000, 5000).map(({ atMs }) => atMs)).toEqual([2000]);
});

test("a request's text has the trace's token count, and shares blocks exactly where ids are equal", () => {
  const requests = LINES.map((line, index) => parseMooncakeLine(JSON.stringify(line), "t", index + 1));
  const [one, two] = requests.map((request, index) => {
    const prompt = new PromptTokens(16, "");
    prompt.addText(traceText(request, index));
    expect(prompt.tokens).toBe(request.promptTokens);
    return prompt.blockHashes;
  });
  let shared = 0;
  while (one?.[shared] !== undefined && one[shared] === two?.[shared]) shared += 1;
  expect(shared).toBe(32);
});
