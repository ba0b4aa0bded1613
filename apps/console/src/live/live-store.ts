import type { LiveEvent, TopicData, TopicName } from "#server/live/topics.ts";

/** Where live values come from right now. */
export type Connection = "connecting" | "stream" | "polling" | "lost";

export interface LiveState {
  readonly connection: Connection;
  readonly isPaused: boolean;
  /** Server clock minus this browser's, milliseconds. */
  readonly clockOffsetMs: number;
  /** Since when the database cannot be read, null while it can. Server time. */
  readonly storeAwaySinceMs: number | null;
}

interface Slot {
  readonly data: unknown;
  readonly readAtMs: number;
}

/** Newest value per topic for one tab. Pausing freezes what is shown, not what is received. */
export class LiveStore {
  #received = new Map<TopicName, Slot>();
  #shown = new Map<TopicName, Slot>();
  #state: LiveState = { connection: "connecting", isPaused: false, clockOffsetMs: 0, storeAwaySinceMs: null };
  readonly #listeners = new Set<() => void>();

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  state = (): LiveState => this.#state;

  /** The topic's slot; `isLatest` looks past a pause. The same object until the value changes. */
  slot(name: TopicName, isLatest: boolean): Slot | null {
    return (isLatest ? this.#received : this.#shown).get(name) ?? null;
  }

  /** `sentAtMs` is the server's clock when it sent the event. */
  receive(event: LiveEvent, sentAtMs: number): void {
    if (event.topic === "trouble") {
      this.#change({ storeAwaySinceMs: event.sinceMs });
      return;
    }
    const slot: Slot = { data: event.data, readAtMs: event.readAtMs };
    this.#received.set(event.topic, slot);
    if (!this.#state.isPaused) this.#shown.set(event.topic, slot);
    this.#change({ storeAwaySinceMs: null, clockOffsetMs: sentAtMs - Date.now() });
  }

  /** The server itself could not read: the database is away since now, unless that is known already. */
  storeAway(): void {
    const { storeAwaySinceMs, clockOffsetMs } = this.#state;
    if (storeAwaySinceMs === null) this.#change({ storeAwaySinceMs: Date.now() + clockOffsetMs });
  }

  connect(connection: Connection): void {
    if (connection !== this.#state.connection) this.#change({ connection });
  }

  pause(isPaused: boolean): void {
    if (isPaused === this.#state.isPaused) return;
    if (!isPaused) this.#shown = new Map(this.#received);
    this.#change({ isPaused });
  }

  #change(part: Partial<LiveState>): void {
    this.#state = { ...this.#state, ...part };
    for (const listener of this.#listeners) listener();
  }
}

/** Narrows a slot to its topic's data. */
export function dataOf<Name extends TopicName>(slot: Slot | null): TopicData<Name> | null {
  // A slot under a name was received under that name; the server types the pair.
  return slot === null ? null : (slot.data as TopicData<Name>);
}
