import { fillerText } from "./filler-text.ts";
import { BYTES_PER_TOKEN } from "./prompt-tokens.ts";
import type { TraceRequest } from "./traces/trace-request.ts";

const FILLER_TOKENS = 16_384;
/** Tokens of the mark that makes a block's text its own. */
const MARK_TOKENS = 4;
let filler = "";

/** Text of `tokens` tokens that depends on the block's id alone; a shorter text is a prefix of a longer one. */
function blockText(id: number, tokens: number): string {
  if (filler === "") filler = fillerText(1, FILLER_TOKENS);
  const mark = `[${id.toString(36)}`.padEnd(MARK_TOKENS * BYTES_PER_TOKEN - 1, ".").concat("]");
  const offset = (Math.imul(id + 1, 0x9e3779b1) >>> 0) % (FILLER_TOKENS / 2);
  const body = filler.slice(offset * BYTES_PER_TOKEN, (offset + tokens) * BYTES_PER_TOKEN);
  return (mark + body).slice(0, tokens * BYTES_PER_TOKEN);
}

/**
 * Prompt text for a trace request: equal leading block ids give equal leading text, each block as many tokens of the
 * simulated tokenizer as the trace says.
 */
export function traceText(request: TraceRequest, uniqueId: number): string {
  const pieces: string[] = [];
  let left = request.promptTokens;
  for (let block = 0; block < request.blockIds.length && left > 0; block += 1) {
    const id = request.blockIds[block] ?? 0;
    const tokens = Math.min(left, request.blockTokens);
    pieces.push(blockText(id, tokens));
    left -= tokens;
  }
  // Tokens the trace gives no id for are nobody else's.
  for (let part = 0; left > 0; part += 1) {
    const tokens = Math.min(left, 512);
    pieces.push(blockText(2 ** 40 + uniqueId * 1024 + part, tokens));
    left -= tokens;
  }
  return pieces.join("");
}
