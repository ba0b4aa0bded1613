import type { AdapterOutlook } from "./signals.ts";

/** Adapters assumed to fit on the GPU of an engine that does not say. */
const DEFAULT_SLOTS = 4;
/** Adapters assumed to fit in an engine's CPU memory. */
const CPU_SLOTS = 32;
/** From CPU memory to the GPU. */
const WARM_LOAD_MS = 30;
/** From disk or network. A prior; decisions hardly depend on it. */
const COLD_LOAD_MS = 1000;
/** Request rates are counted over about this long. */
const RATE_MS = 60_000;

interface Holding {
  /** Requests in flight with this adapter. */
  active: number;
  /** Requests, decayed over a minute. */
  recent: number;
  recentAtMs: number;
}

const RESIDENT: AdapterOutlook = { loadMs: 0, slotWaitMs: 0, evictionMs: 0 };

/**
 * Which adapters one engine should hold, by replaying its caches (least recently used, GPU slots in front of CPU ones)
 * over what it was sent. An engine's own list can only confirm: an adapter that is resident but idle is often absent.
 */
export class AdapterShelf {
  /** On the GPU, least recently used first. */
  readonly #gpu = new Map<string, Holding>();
  /** In CPU memory, least recently used first; includes those on the GPU. */
  readonly #cpu = new Map<string, Holding>();
  slots = DEFAULT_SLOTS;

  isResident(adapter: string): boolean {
    return this.#gpu.has(adapter);
  }

  holds(adapter: string): boolean {
    return this.#cpu.has(adapter);
  }

  get resident(): string[] {
    return [...this.#gpu.keys()];
  }

  /** What loading the adapter would take now. */
  loadMs(adapter: string): number {
    if (this.#gpu.has(adapter)) return 0;
    return this.#cpu.has(adapter) ? WARM_LOAD_MS : COLD_LOAD_MS;
  }

  /**
   * What a request for the adapter would meet.
   * @param meanRequestMs how long a request holds its slot on average.
   * @param isEnough whether enough replicas hold the adapter for its share of the load: one more copy is then charged as
   *   one more load, for those it pushes out everywhere.
   */
  outlook(adapter: string, meanRequestMs: number, isEnough: boolean, nowMs: number): AdapterOutlook {
    if (this.#gpu.has(adapter)) return RESIDENT;
    const isWarm = this.#cpu.has(adapter);
    const gpuVictim = this.#gpu.size >= this.slots ? idlest(this.#gpu) : null;
    const cpuVictim = !isWarm && this.#cpu.size >= CPU_SLOTS ? idlest(this.#cpu) : null;
    const missed = (victim: Holding | null) => (victim === null ? 0 : Math.min(1, recentAt(victim, nowMs)));
    return {
      loadMs: isWarm ? WARM_LOAD_MS : COLD_LOAD_MS,
      slotWaitMs: this.#slotWaitMs(meanRequestMs),
      evictionMs:
        WARM_LOAD_MS * missed(gpuVictim) +
        COLD_LOAD_MS * missed(cpuVictim) +
        (isEnough && !isWarm ? COLD_LOAD_MS : 0),
    };
  }

  /** A request with the adapter was sent: the engine will load it. */
  open(adapter: string, nowMs: number): void {
    const holding = this.#load(adapter);
    holding.active++;
    holding.recent = recentAt(holding, nowMs) + 1;
    holding.recentAtMs = nowMs;
  }

  close(adapter: string): void {
    const holding = this.#cpu.get(adapter) ?? this.#gpu.get(adapter);
    if (holding !== undefined && holding.active > 0) holding.active--;
  }

  /** Forgets everything: the engine restarted. */
  clear(): void {
    this.#gpu.clear();
    this.#cpu.clear();
  }

  /** The engine lists the adapter: it is on the GPU. */
  confirm(adapter: string): void {
    if (!this.#gpu.has(adapter)) this.#load(adapter);
  }

  #load(adapter: string): Holding {
    const holding = this.#cpu.get(adapter) ?? { active: 0, recent: 0, recentAtMs: 0 };
    this.#cpu.delete(adapter);
    this.#cpu.set(adapter, holding);
    this.#gpu.delete(adapter);
    this.#gpu.set(adapter, holding);
    while (this.#gpu.size > Math.max(1, this.slots) && dropIdle(this.#gpu, () => false));
    while (this.#cpu.size > CPU_SLOTS && dropIdle(this.#cpu, (name) => this.#gpu.has(name)));
    return holding;
  }

  /** With every slot held by an adapter in use, the shortest expected wait until one of them is out of use. */
  #slotWaitMs(meanRequestMs: number): number {
    if (this.#gpu.size < this.slots) return 0;
    let least = Number.POSITIVE_INFINITY;
    for (const { active } of this.#gpu.values()) {
      if (active === 0) return 0;
      // The last of m independent requests ends after the mean times the m-th harmonic number.
      least = Math.min(least, harmonic(active));
    }
    return Number.isFinite(least) ? meanRequestMs * least : 0;
  }
}

function recentAt(holding: Holding, nowMs: number): number {
  return holding.recent * 2 ** (-Math.max(0, nowMs - holding.recentAtMs) / RATE_MS);
}

/** The least recently used holding that no request uses, else the least recently used. */
function idlest(holdings: ReadonlyMap<string, Holding>): Holding | null {
  let first: Holding | null = null;
  for (const holding of holdings.values()) {
    if (holding.active === 0) return holding;
    first ??= holding;
  }
  return first;
}

/** Drops the least recently used entry that is idle and not kept; false when there is none. */
function dropIdle(holdings: Map<string, Holding>, isKept: (name: string) => boolean): boolean {
  for (const [name, holding] of holdings) {
    if (holding.active > 0 || isKept(name)) continue;
    holdings.delete(name);
    return true;
  }
  return false;
}

function harmonic(count: number): number {
  let sum = 0;
  for (let i = 1; i <= Math.min(count, 1000); i++) sum += 1 / i;
  return sum;
}
