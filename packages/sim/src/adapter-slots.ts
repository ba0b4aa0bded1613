import type { AdapterParameters } from "./replica-parameters.ts";

/** Which LoRA adapters sit in GPU and in CPU memory; both evict the least recently used. */
export class AdapterSlots {
  readonly #parameters: AdapterParameters;
  /** Insertion order is recency: the first key was used longest ago. */
  readonly #gpu = new Set<string>();
  readonly #cpu = new Set<string>();

  constructor(parameters: AdapterParameters) {
    this.#parameters = parameters;
  }

  /** Adapters in GPU memory, most recently used last. */
  get resident(): readonly string[] {
    return [...this.#gpu];
  }

  /**
   * Makes an adapter resident.
   * @param needed adapters of the batch, which must not be evicted
   * @returns load time in ms, 0 when it already was resident. The engine does nothing else meanwhile.
   */
  use(adapter: string, needed: ReadonlySet<string>): number {
    const isResident = this.#gpu.delete(adapter);
    const isInCpu = this.#cpu.delete(adapter);
    if (!isResident && this.#gpu.size >= this.#parameters.slots) {
      for (const candidate of this.#gpu) {
        if (needed.has(candidate)) continue;
        this.#gpu.delete(candidate);
        break;
      }
    }
    this.#gpu.add(adapter);
    this.#cpu.add(adapter);
    if (this.#cpu.size > this.#parameters.cpuSlots) {
      for (const oldest of this.#cpu) {
        this.#cpu.delete(oldest);
        break;
      }
    }
    if (isResident) return 0;
    return isInCpu ? this.#parameters.warmLoadMs : this.#parameters.coldLoadMs;
  }
}
