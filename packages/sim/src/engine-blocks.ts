import type { TraceRequest } from "./traces/trace-request.ts";

/** Room for the block ids of one adapter; ids of traces stay far below it once expanded. */
const ADAPTER_SPAN = 2 ** 36;

/**
 * Hashes of the engine's blocks for a request whose trace names blocks of another size. Larger trace blocks are cut:
 * id x becomes x * k .. x * k + k - 1. Of smaller ones the last id within each engine block counts, which stands for
 * everything before it. Only full engine blocks count, so a trace's last, partial block is shared just as far as it is
 * filled. The adapter is part of the identity, as engines key their cache on it.
 */
export function engineBlockHashes(
  request: TraceRequest,
  adapterNumber: number,
  engineBlockTokens: number,
): Float64Array {
  const { blockIds, blockTokens, promptTokens } = request;
  const perTraceBlock = Math.max(1, Math.floor(blockTokens / engineBlockTokens));
  const idsPerBlock = Math.max(1, Math.floor(engineBlockTokens / blockTokens));
  const named = Math.floor(blockIds.length / idsPerBlock) * perTraceBlock;
  const count = Math.min(named, Math.floor(promptTokens / engineBlockTokens));
  const hashes = new Float64Array(count);
  const offset = adapterNumber * ADAPTER_SPAN;
  for (let i = 0; i < count; i += 1) {
    const id = blockIds[(Math.floor(i / perTraceBlock) + 1) * idsPerBlock - 1] ?? 0;
    hashes[i] = offset + id * perTraceBlock + (i % perTraceBlock);
  }
  return hashes;
}
