import { AdapterDemand } from "./adapter-demand.ts";
import { BoundedMap } from "./bounded-map.ts";
import type { ReplicaRoster } from "./replica-roster.ts";
import type { AdapterLookup, AdapterOutlook } from "./signals.ts";

/** Names come from clients. */
const MOST_ADAPTERS = 10_000;

/** Which adapters there are, of which base model, how much they are asked for, and what each replica makes of them. */
export class AdapterBook {
  readonly #roster: ReplicaRoster;
  readonly #bases = new BoundedMap<string>(MOST_ADAPTERS);
  readonly #demand = new Map<string, AdapterDemand>();

  constructor(roster: ReplicaRoster) {
    this.#roster = roster;
  }

  /** Notes that the adapter belongs to the base model. */
  learn(adapter: string, base: string): void {
    this.#bases.set(adapter, base);
  }

  /** Base model of an adapter that an engine has listed or that was sent to one; null when there was none. */
  baseOf(adapter: string): string | null {
    return this.#bases.get(adapter) ?? null;
  }

  /** The base model whose replicas serve a name: the name itself, or the base of the adapter it must be. */
  servedBy(name: string): string | null {
    if (this.#roster.serving(name).length > 0) return name;
    return this.#bases.get(name) ?? this.#roster.onlyModel;
  }

  /** Counts a request for a base model, with an adapter or without. */
  observe(base: string, adapter: string | null, nowMs: number): void {
    if (adapter !== null) this.learn(adapter, base);
    this.#demandOf(base).observe(adapter, nowMs);
  }

  /** What a request for `name` would meet on each replica; null when it names a base model. */
  lookUp(name: string, nowMs: number): AdapterLookup | null {
    const base = this.servedBy(name);
    if (base === null || base === name) return null;
    const serving = this.#roster.serving(base);
    let holders = 0;
    for (const ledger of serving) if (ledger.adapters.holds(name)) holders++;
    const isEnough = holders >= this.#demandOf(base).copiesWanted(name, serving.length, nowMs);
    const outlook: (AdapterOutlook | undefined)[] = [];
    for (const ledger of serving) {
      outlook[ledger.slot] = ledger.adapters.outlook(name, ledger.segment.meanRequestMs, isEnough, nowMs);
    }
    return { name, outlook };
  }

  #demandOf(base: string): AdapterDemand {
    const known = this.#demand.get(base);
    if (known !== undefined) return known;
    const made = new AdapterDemand();
    this.#demand.set(base, made);
    return made;
  }
}
