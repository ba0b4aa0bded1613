import type { Sequence } from "./sequence.ts";

/** First come, first served, with preempted sequences put back in front. Amortised O(1) except for removal. */
export class WaitingQueue {
  /** Sequences put in front; the last one is next. */
  readonly #front: Sequence[] = [];
  #back: Sequence[] = [];
  #head = 0;

  get length(): number {
    return this.#front.length + this.#back.length - this.#head;
  }

  pushBack(sequence: Sequence): void {
    this.#back.push(sequence);
  }

  pushFront(sequence: Sequence): void {
    this.#front.push(sequence);
  }

  peek(): Sequence | undefined {
    return this.#front.at(-1) ?? this.#back[this.#head];
  }

  popFront(): Sequence | undefined {
    const front = this.#front.pop();
    if (front !== undefined) return front;
    const next = this.#back[this.#head];
    if (next === undefined) return undefined;
    this.#head += 1;
    if (this.#head > 1024 && this.#head * 2 > this.#back.length) {
      this.#back = this.#back.slice(this.#head);
      this.#head = 0;
    }
    return next;
  }

  remove(sequence: Sequence): void {
    const inFront = this.#front.indexOf(sequence);
    if (inFront >= 0) {
      this.#front.splice(inFront, 1);
      return;
    }
    const inBack = this.#back.indexOf(sequence, this.#head);
    if (inBack >= 0) this.#back.splice(inBack, 1);
  }

  toArray(): Sequence[] {
    return [...this.#front.toReversed(), ...this.#back.slice(this.#head)];
  }
}
