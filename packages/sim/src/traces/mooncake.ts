import { seededRng } from "@evenkeel/scheduler/rng";
import { z } from "zod";
import { parseJsonLine } from "./json-line.ts";
import { traceLines } from "./trace-lines.ts";
import { TraceFormatError, type TraceRequest } from "./trace-request.ts";

/** Tokens of one hashed block in Mooncake traces. */
export const MOONCAKE_BLOCK_TOKENS = 512;
/** Conversation traces carry times rounded down to ticks of this length. */
const TICK_MS = 3000;

const record = z.object({
  timestamp: z.number().min(0),
  input_length: z.int().min(1),
  output_length: z.int().min(0),
  hash_ids: z.array(z.int().min(0)),
});

/**
 * Reads a Mooncake trace (JSON lines, optionally gzipped): `timestamp` ms, `input_length`, `output_length`, `hash_ids`.
 * A session is named by the second block of its prompt, the first one being a system prompt that all share.
 * @throws TraceFormatError that names line and field
 */
export async function readMooncakeTrace(file: string): Promise<TraceRequest[]> {
  const requests: TraceRequest[] = [];
  for await (const { number, text } of traceLines(file)) {
    requests.push(parseMooncakeLine(text, file, number));
  }
  return requests.sort((a, b) => a.atMs - b.atMs);
}

/** One line of a Mooncake trace. @throws TraceFormatError */
export function parseMooncakeLine(text: string, file: string, line: number): TraceRequest {
  const { timestamp, input_length, output_length, hash_ids } = parseJsonLine(record, text, file, line);
  const blocks = Math.ceil(input_length / MOONCAKE_BLOCK_TOKENS);
  if (hash_ids.length !== blocks) {
    throw new TraceFormatError(
      file,
      line,
      `hash_ids: expected ${blocks} ids for input_length ${input_length}`,
    );
  }
  const session = hash_ids[1] ?? `line-${line}`;
  return {
    atMs: timestamp,
    promptTokens: input_length,
    outputTokens: Math.max(1, output_length),
    blockIds: hash_ids,
    blockTokens: MOONCAKE_BLOCK_TOKENS,
    sessionKey: `mooncake-${session}`,
    adapter: null,
  };
}

/** Spreads the requests of each 3 s tick evenly over the tick: the rounded times would arrive as bursts of up to 28. */
export function spreadTicks(requests: readonly TraceRequest[], seed: number): TraceRequest[] {
  const rng = seededRng(seed);
  return requests
    .map((request) => ({ ...request, atMs: request.atMs + rng() * TICK_MS }))
    .sort((a, b) => a.atMs - b.atMs);
}
