/** One request of a workload trace, whatever file it came from. */
export interface TraceRequest {
  /** Time since the trace's start. */
  readonly atMs: number;
  readonly promptTokens: number;
  readonly outputTokens: number;
  /**
   * Chained ids of the prompt's blocks: equal ids mean equal prompts up to and including that block. The last block
   * may be partial. Empty when the trace says nothing about content.
   */
  readonly blockIds: ArrayLike<number>;
  /** Tokens per block of `blockIds`. */
  readonly blockTokens: number;
  readonly sessionKey: string | null;
  readonly adapter: string | null;
}

/** A trace file does not hold what its format promises. The message names line and field. */
export class TraceFormatError extends Error {
  readonly code = "trace_format";

  constructor(file: string, line: number, problem: string) {
    super(`${file}, line ${line}: ${problem}`);
    this.name = "TraceFormatError";
  }
}

/** Requests with `fromMs` <= time < `toMs`, times counted from `fromMs`. */
export function traceWindow(requests: readonly TraceRequest[], fromMs: number, toMs: number): TraceRequest[] {
  return requests
    .filter(({ atMs }) => atMs >= fromMs && atMs < toMs)
    .map((request) => ({ ...request, atMs: request.atMs - fromMs }));
}
