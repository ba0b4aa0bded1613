import { type ReplicaParameters, stepDurationMs } from "./replica-parameters.ts";
import type { Sequence } from "./sequence.ts";

/** What one engine step computes: some tokens of each of some sequences. Reused from step to step. */
export class StepBatch {
  readonly sequences: Sequence[] = [];
  /** Tokens of `sequences[i]`: 1 when it decodes, a chunk of its prompt when it does not. */
  readonly tokensOf: number[] = [];
  tokens = 0;

  get size(): number {
    return this.sequences.length;
  }

  clear(): void {
    this.sequences.length = 0;
    this.tokensOf.length = 0;
    this.tokens = 0;
  }

  add(sequence: Sequence, tokens: number): void {
    this.sequences.push(sequence);
    this.tokensOf.push(tokens);
    this.tokens += tokens;
  }

  /** How long the step takes, without adapter loads. */
  durationMs(parameters: ReplicaParameters): number {
    let prefillTokens = 0;
    let decodingSequences = 0;
    let decodeContextTokens = 0;
    let attentionPairs = 0;
    let adapters: Set<string> | null = null;
    for (let i = 0; i < this.sequences.length; i += 1) {
      const sequence = this.sequences[i];
      const tokens = this.tokensOf[i] ?? 0;
      if (sequence === undefined) continue;
      if (sequence.outputTokens > 0 && tokens === 1) {
        decodingSequences += 1;
        decodeContextTokens += sequence.computedTokens;
      } else {
        prefillTokens += tokens;
        attentionPairs += tokens * (sequence.computedTokens + tokens / 2);
      }
      if (sequence.request.adapter !== null) {
        adapters ??= new Set();
        adapters.add(sequence.request.adapter);
      }
    }
    return stepDurationMs(parameters, {
      prefillTokens,
      decodingSequences,
      decodeContextTokens,
      attentionPairs,
      distinctAdapters: adapters?.size ?? 0,
    });
  }
}
