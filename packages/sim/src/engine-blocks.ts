import type { TraceRequest } from "./traces/trace-request.ts";

const ENGINE_BLOCK_TOKENS = 16;
/** Room for the block ids of one adapter; ids of traces stay far below it once expanded. */
const ADAPTER_SPAN = 2 ** 36;

/**
 * Hashes of the engine's 16-token blocks for a request whose trace names larger blocks: block id x becomes the ids
 * x * k .. x * k + k - 1. Only full engine blocks count, so a trace's last, partial block is shared just as far as it
 * is filled. The adapter is part of the identity, as engines key their cache on it.
 */
export function engineBlockHashes(request: TraceRequest, adapterNumber: number): Float64Array {
  const perTraceBlock = Math.floor(request.blockTokens / ENGINE_BLOCK_TOKENS);
  const named = request.blockIds.length * perTraceBlock;
  const count = Math.min(named, Math.floor(request.promptTokens / ENGINE_BLOCK_TOKENS));
  const hashes = new Float64Array(count);
  const offset = adapterNumber * ADAPTER_SPAN;
  for (let i = 0; i < count; i += 1) {
    const id = request.blockIds[Math.floor(i / perTraceBlock)] ?? 0;
    hashes[i] = offset + id * perTraceBlock + (i % perTraceBlock);
  }
  return hashes;
}
