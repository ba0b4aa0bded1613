import type { Replica, ReplicaId, SegmentId } from "./replica.ts";
import { ReplicaLedger } from "./replica-ledger.ts";
import { SegmentLedger } from "./segment-ledger.ts";
import { ALONE_MEMORY, type FactorMemory, SHARED_MEMORY } from "./speed-factor.ts";

/** What happened to replicas when the fleet was replaced. */
export interface RosterChange {
  readonly joined: readonly ReplicaLedger[];
  readonly left: readonly ReplicaLedger[];
}

/** The replicas of the fleet with their ledgers, segments and slots. */
export class ReplicaRoster {
  readonly #segments = new Map<SegmentId, SegmentLedger>();
  readonly #byModel = new Map<string, ReplicaLedger[]>();
  readonly #slots: (ReplicaId | null)[] = [];
  #ledgers = new Map<ReplicaId, ReplicaLedger>();
  #all: readonly ReplicaLedger[] = [];

  #isShared: boolean;

  constructor(isShared: boolean) {
    this.#isShared = isShared;
  }

  /** Whether other routers send to the same replicas. */
  get isShared(): boolean {
    return this.#isShared;
  }

  setShared(isShared: boolean): void {
    this.#isShared = isShared;
    for (const ledger of this.#all) ledger.setMemory(this.#memory);
  }

  get #memory(): FactorMemory {
    return this.#isShared ? SHARED_MEMORY : ALONE_MEMORY;
  }

  /** In the fleet's order. */
  get all(): readonly ReplicaLedger[] {
    return this.#all;
  }

  /** Slots given out so far; freed ones are given out again. */
  get slots(): number {
    return this.#slots.length;
  }

  get(id: ReplicaId): ReplicaLedger | undefined {
    return this.#ledgers.get(id);
  }

  serving(model: string): readonly ReplicaLedger[] {
    return this.#byModel.get(model) ?? [];
  }

  /** The base model that every replica serves, null when there are several. */
  get onlyModel(): string | null {
    if (this.#byModel.size !== 1) return null;
    return this.#all[0]?.replica.model ?? null;
  }

  /** Replaces the fleet. Replicas whose id and segment stay keep their ledger; a second entry of one id is ignored. */
  replace(replicas: readonly Replica[], nowMs: number): RosterChange {
    // Only a replica that joins a running fleet is new; the first fleet may have been running for months.
    const sinceMs = this.#ledgers.size === 0 ? Number.NEGATIVE_INFINITY : nowMs;
    const earlier = this.#ledgers;
    const next = new Map<ReplicaId, ReplicaLedger>();
    const fresh: Replica[] = [];
    for (const replica of replicas) {
      if (next.has(replica.id)) continue;
      const known = earlier.get(replica.id);
      if (known?.segment.id === replica.segment) {
        known.replica = replica;
        next.set(replica.id, known);
      } else fresh.push(replica);
    }
    const left = [...earlier.values()].filter((ledger) => next.get(ledger.id) !== ledger);
    for (const ledger of left) this.#retire(ledger);
    const joined: ReplicaLedger[] = [];
    for (const replica of fresh) {
      if (next.has(replica.id)) continue;
      const segment = this.#segment(replica.segment);
      const ledger = new ReplicaLedger(replica, this.#takeSlot(replica.id), segment, nowMs, sinceMs);
      ledger.setMemory(this.#memory);
      next.set(replica.id, ledger);
      joined.push(ledger);
    }
    this.#ledgers = next;
    this.#all = [...new Set(replicas.map((replica) => replica.id))].flatMap((id) => next.get(id) ?? []);
    this.#byModel.clear();
    for (const ledger of this.#all) {
      const serving = this.#byModel.get(ledger.replica.model);
      if (serving === undefined) this.#byModel.set(ledger.replica.model, [ledger]);
      else serving.push(ledger);
    }
    return { joined, left };
  }

  #segment(id: SegmentId): SegmentLedger {
    const known = this.#segments.get(id);
    if (known !== undefined) return known;
    const made = new SegmentLedger(id);
    this.#segments.set(id, made);
    return made;
  }

  #takeSlot(id: ReplicaId): number {
    const free = this.#slots.indexOf(null);
    const slot = free < 0 ? this.#slots.length : free;
    this.#slots[slot] = id;
    return slot;
  }

  #retire(ledger: ReplicaLedger): void {
    ledger.leave();
    this.#slots[ledger.slot] = null;
    if (ledger.segment.members.size === 0) this.#segments.delete(ledger.segment.id);
  }
}
