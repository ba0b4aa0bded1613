import type { CompiledPolicy } from "@evenkeel/scheduler/compile-policy";

/** The policy in force. A request reads `current` once, so a swap never mixes two revisions in one decision. */
export class PolicyHolder {
  #current: CompiledPolicy;

  constructor(first: CompiledPolicy) {
    this.#current = first;
  }

  get current(): CompiledPolicy {
    return this.#current;
  }

  swap(next: CompiledPolicy): void {
    this.#current = next;
  }
}
