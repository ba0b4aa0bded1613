interface TimedEvent {
  readonly atMs: number;
  readonly order: number;
  readonly run: () => void;
}

/** Virtual time with a queue of events. Events of one instant run in the order they were planned. */
export class EventClock {
  #nowMs = 0;
  #order = 0;
  /** Binary heap, earliest first. */
  readonly #heap: TimedEvent[] = [];

  get nowMs(): number {
    return this.#nowMs;
  }

  /** When the next event is due, null when none is planned. */
  get nextAtMs(): number | null {
    return this.#heap[0]?.atMs ?? null;
  }

  /** Plans `run` for `atMs`; a time already past means now. */
  at(atMs: number, run: () => void): void {
    const event = { atMs: Math.max(atMs, this.#nowMs), order: this.#order, run };
    this.#order += 1;
    this.#heap.push(event);
    this.#siftUp(this.#heap.length - 1);
  }

  /** Runs every event due up to and including `untilMs`, then stands at `untilMs`. */
  advanceTo(untilMs: number): void {
    for (;;) {
      const next = this.#heap[0];
      if (next === undefined || next.atMs > untilMs) break;
      this.#pop();
      this.#nowMs = next.atMs;
      next.run();
    }
    if (untilMs > this.#nowMs) this.#nowMs = untilMs;
  }

  /** Runs events until none is left. */
  runAll(): void {
    for (;;) {
      const next = this.#heap[0];
      if (next === undefined) return;
      this.#pop();
      this.#nowMs = next.atMs;
      next.run();
    }
  }

  /** Forgets every planned event. */
  clear(): void {
    this.#heap.length = 0;
  }

  #isBefore(a: TimedEvent, b: TimedEvent): boolean {
    return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
  }

  #siftUp(start: number): void {
    let index = start;
    const event = this.#heap[index];
    if (event === undefined) return;
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = this.#heap[parentIndex];
      if (parent === undefined || !this.#isBefore(event, parent)) break;
      this.#heap[index] = parent;
      index = parentIndex;
    }
    this.#heap[index] = event;
  }

  #pop(): void {
    const last = this.#heap.pop();
    const size = this.#heap.length;
    if (last === undefined || size === 0) return;
    let index = 0;
    for (;;) {
      let childIndex = 2 * index + 1;
      let child = this.#heap[childIndex];
      if (child === undefined) break;
      const right = this.#heap[childIndex + 1];
      if (right !== undefined && this.#isBefore(right, child)) {
        childIndex += 1;
        child = right;
      }
      if (!this.#isBefore(child, last)) break;
      this.#heap[index] = child;
      index = childIndex;
    }
    this.#heap[index] = last;
  }
}
