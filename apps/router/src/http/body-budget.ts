/**
 * Admits request bodies by their bytes: all that are held at once stay under one bound, whatever the number of
 * clients.
 */
export class BodyBudget {
  readonly limitBytes: number;
  #heldBytes = 0;

  constructor(limitBytes: number) {
    this.limitBytes = limitBytes;
  }

  /** Takes room for a body; false when there is none. */
  take(bytes: number): boolean {
    // One body alone may always pass: its own limit has already been checked.
    if (this.#heldBytes > 0 && this.#heldBytes + bytes > this.limitBytes) return false;
    this.#heldBytes += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#heldBytes -= bytes;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }
}
