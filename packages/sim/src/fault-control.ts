import type { Rng } from "@evenkeel/scheduler/rng";
import { type ActiveFault, type FaultKind, type ReplicaFaultInput, replicaFault } from "./replica-fault.ts";

/** What a replica does when a fault begins and when it is over. */
export interface FaultHooks {
  begin(fault: ActiveFault): Promise<void>;
  end(kind: FaultKind): Promise<void>;
}

/** The faults of one replica that act now, at most one of each kind, and their clocks. */
export class FaultControl {
  readonly #active = new Map<FaultKind, ActiveFault>();
  readonly #timers = new Map<FaultKind, NodeJS.Timeout>();
  readonly #hooks: FaultHooks;
  readonly #rng: Rng;

  /** @param rng decides which requests a fault with a share hits */
  constructor(hooks: FaultHooks, rng: Rng) {
    this.#hooks = hooks;
    this.#rng = rng;
  }

  /**
   * Begins a fault, or ends all of them with `{ kind: "clear" }`.
   * @throws z.ZodError when the input is not a fault
   */
  async set(input: ReplicaFaultInput): Promise<void> {
    const fault = replicaFault.parse(input);
    if (fault.kind === "clear") {
      for (const kind of [...this.#active.keys()]) await this.#end(kind);
      return;
    }
    clearTimeout(this.#timers.get(fault.kind));
    this.#active.set(fault.kind, fault);
    await this.#hooks.begin(fault);
    if (fault.durationMs === undefined) return;
    this.#timers.set(
      fault.kind,
      setTimeout(() => void this.#end(fault.kind), fault.durationMs),
    );
  }

  get<K extends FaultKind>(kind: K): Extract<ActiveFault, { kind: K }> | null {
    const fault = this.#active.get(kind);
    // The map is keyed by the fault's own kind, which TypeScript cannot see.
    return fault === undefined ? null : (fault as Extract<ActiveFault, { kind: K }>);
  }

  /** The fault, if it acts and hits this request. */
  draw<K extends "stall" | "reset" | "overload" | "error">(
    kind: K,
  ): Extract<ActiveFault, { kind: K }> | null {
    const fault = this.get(kind);
    const share = fault !== null && "share" in fault ? fault.share : 0;
    return this.#rng() < share ? fault : null;
  }

  list(): readonly ActiveFault[] {
    return [...this.#active.values()];
  }

  /** Stops the clocks; nothing ends by itself any more. */
  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }

  async #end(kind: FaultKind): Promise<void> {
    clearTimeout(this.#timers.get(kind));
    this.#timers.delete(kind);
    this.#active.delete(kind);
    await this.#hooks.end(kind);
  }
}
