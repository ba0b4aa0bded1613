import { z } from "zod";
import { parseJsonLine } from "./json-line.ts";
import { traceLines } from "./trace-lines.ts";
import type { TraceRequest } from "./trace-request.ts";

const BLOCK_TOKENS = 16;

const record = z.object({
  chat_id: z.int(),
  /** -1 for the first turn of a chat. */
  parent_chat_id: z.int(),
  /** Seconds from the trace's start. */
  timestamp: z.number().min(0),
  input_length: z.int().min(1),
  output_length: z.int().min(0),
  hash_ids: z.array(z.int().min(0)),
});

/**
 * Reads a Qwen-Bailian trace (JSON lines): 16-token block ids with chat and parent ids, from which sessions follow.
 * @throws TraceFormatError that names line and field
 */
export async function readQwenBailianTrace(file: string): Promise<TraceRequest[]> {
  const requests: TraceRequest[] = [];
  const sessionOf = new Map<number, number>();
  for await (const { number, text } of traceLines(file)) {
    requests.push(parseQwenBailianLine(text, file, number, sessionOf));
  }
  return requests.sort((a, b) => a.atMs - b.atMs);
}

/** One line. @param sessionOf root chat by chat id, extended by this line @throws TraceFormatError */
export function parseQwenBailianLine(
  text: string,
  file: string,
  line: number,
  sessionOf: Map<number, number>,
): TraceRequest {
  const { chat_id, parent_chat_id, timestamp, input_length, output_length, hash_ids } = parseJsonLine(
    record,
    text,
    file,
    line,
  );
  const root = parent_chat_id < 0 ? chat_id : (sessionOf.get(parent_chat_id) ?? parent_chat_id);
  sessionOf.set(chat_id, root);
  return {
    atMs: timestamp * 1000,
    promptTokens: input_length,
    outputTokens: Math.max(1, output_length),
    blockIds: hash_ids,
    blockTokens: BLOCK_TOKENS,
    sessionKey: `chat-${root}`,
    adapter: null,
  };
}
