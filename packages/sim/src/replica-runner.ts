import { ReplicaModel } from "./replica-model.ts";
import type { ReplicaParameters } from "./replica-parameters.ts";
import type { ModelRequest, Sequence } from "./sequence.ts";

/** What a runner needs of time: an event clock, virtual or following real time. */
export interface Clock {
  readonly nowMs: number;
  at(atMs: number, run: () => void): void;
}

/** Keeps one replica model stepping on a clock while it has work. */
export class ReplicaRunner {
  readonly #parameters: ReplicaParameters;
  readonly #clock: Clock;
  readonly #onTokens: (sequences: readonly Sequence[], atMs: number) => void;
  #model: ReplicaModel;
  /** Counts restarts: a step of an earlier life must not end in this one. */
  #life = 0;
  #isFrozen = false;

  /** @param onTokens called at the end of a step with the sequences that produced a token; the array is reused */
  constructor(
    parameters: ReplicaParameters,
    clock: Clock,
    onTokens: (sequences: readonly Sequence[], atMs: number) => void,
  ) {
    this.#parameters = parameters;
    this.#clock = clock;
    this.#onTokens = onTokens;
    this.#model = new ReplicaModel(parameters);
  }

  get model(): ReplicaModel {
    return this.#model;
  }

  /** @throws RequestTooLongError */
  enqueue(request: ModelRequest): Sequence {
    const sequence = this.#model.enqueue(request, this.#clock.nowMs);
    this.#step();
    return sequence;
  }

  abort(id: string): void {
    this.#model.abort(id);
    this.#step();
  }

  /** Loses every sequence and the whole cache; totals start again, the slowdown stays. */
  restart(): void {
    const { slowdown } = this.#model;
    this.#life += 1;
    this.#model = new ReplicaModel(this.#parameters);
    this.#model.slowdown = slowdown;
  }

  /** A frozen replica accepts requests and makes no progress. */
  set isFrozen(isFrozen: boolean) {
    this.#isFrozen = isFrozen;
    if (!isFrozen) this.#step();
  }

  #step(): void {
    if (this.#isFrozen) return;
    const endsAtMs = this.#model.beginStep(this.#clock.nowMs);
    if (endsAtMs === null) return;
    const life = this.#life;
    this.#clock.at(endsAtMs, () => {
      if (life !== this.#life) return;
      const sequences = this.#model.endStep();
      if (sequences.length > 0) this.#onTokens(sequences, endsAtMs);
      if (life === this.#life) this.#step();
    });
  }
}
