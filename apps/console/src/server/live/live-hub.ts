import type { Db } from "@evenkeel/db/connect";
import { describeFailure } from "#server/describe-failure.ts";
import { faultWords } from "#server/fault-words.ts";
import type { Topic } from "./topic.ts";
import type { LiveEvent } from "./topics.ts";

/** Slots of one tab: newest event per topic, so that a slow tab costs a constant amount of memory. */
class Mailbox {
  readonly #slots = new Map<string, LiveEvent>();
  #wake: (() => void) | null = null;

  put(event: LiveEvent): void {
    // Re-inserting moves the topic to the end: order of delivery is order of the newest values.
    this.#slots.delete(event.topic);
    this.#slots.set(event.topic, event);
    this.#wake?.();
  }

  async *drain(signal: AbortSignal): AsyncGenerator<LiveEvent> {
    const wakeUp = () => this.#wake?.();
    signal.addEventListener("abort", wakeUp);
    try {
      while (!signal.aborted) {
        for (const [topic, event] of this.#slots) {
          this.#slots.delete(topic);
          yield event;
          if (signal.aborted) return;
        }
        if (this.#slots.size > 0) continue;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
          if (signal.aborted || this.#slots.size > 0) resolve();
        });
        this.#wake = null;
      }
    } finally {
      signal.removeEventListener("abort", wakeUp);
    }
  }
}

/** Reads the topics once for all tabs of this process and hands changes to each. Idle while nobody listens. */
export class LiveHub {
  readonly #db: Db;
  readonly #topics: Readonly<Record<string, Topic<unknown>>>;
  readonly #mailboxes = new Set<Mailbox>();
  readonly #latest = new Map<string, { readonly event: LiveEvent; readonly print: string }>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #reading = new Set<string>();
  /** Topics whose last read failed; each failure is logged once. */
  readonly #faults = new Set<string>();
  #troubleSinceMs: number | null = null;

  constructor(db: Db, topics: Readonly<Record<string, Topic<unknown>>>) {
    this.#db = db;
    this.#topics = topics;
  }

  /** Current value of every topic, then each change, until `signal` aborts. */
  async *follow(signal: AbortSignal): AsyncGenerator<LiveEvent> {
    const mailbox = new Mailbox();
    for (const { event } of this.#latest.values()) mailbox.put(event);
    this.#mailboxes.add(mailbox);
    if (this.#mailboxes.size === 1) for (const name of Object.keys(this.#topics)) void this.#cycle(name);
    try {
      yield* mailbox.drain(signal);
    } finally {
      this.#mailboxes.delete(mailbox);
      if (this.#mailboxes.size === 0) this.#rest();
    }
  }

  /** Reads every topic once and answers with all values; for tabs that poll because no stream reaches them. */
  async poll(): Promise<readonly LiveEvent[]> {
    await Promise.all(Object.keys(this.#topics).map((name) => this.#read(name)));
    return this.#trouble() ?? [...this.#latest.values()].map((kept) => kept.event);
  }

  /** Reads a topic now, because something said that it changed. */
  hint(name: string): void {
    if (this.#mailboxes.size > 0) void this.#read(name);
  }

  #trouble(): readonly LiveEvent[] | null {
    if (this.#troubleSinceMs === null) return null;
    return [{ topic: "trouble", reason: "store_unavailable", sinceMs: this.#troubleSinceMs }];
  }

  async #cycle(name: string): Promise<void> {
    await this.#read(name);
    const topic = this.#topics[name];
    if (this.#mailboxes.size === 0 || topic === undefined) return;
    clearTimeout(this.#timers.get(name));
    this.#timers.set(
      name,
      setTimeout(() => void this.#cycle(name), topic.everyMs),
    );
  }

  async #read(name: string): Promise<void> {
    const topic = this.#topics[name];
    // A read that hangs must not pile up others behind it.
    if (topic === undefined || this.#reading.has(name)) return;
    this.#reading.add(name);
    try {
      this.#changed(name, await topic.read(this.#db));
      this.#faults.delete(name);
    } catch (error) {
      this.#failed(name, error);
    } finally {
      this.#reading.delete(name);
    }
  }

  #changed(name: string, data: unknown): void {
    this.#troubleSinceMs = null;
    const print = JSON.stringify(data);
    if (this.#latest.get(name)?.print === print) return;
    // The name and its data come from the same row of the topics table.
    const event = { topic: name, data, readAtMs: Date.now() } as LiveEvent;
    this.#latest.set(name, { event, print });
    this.#send(event);
  }

  #failed(name: string, error: unknown): void {
    const { reason } = describeFailure(error);
    if (!this.#faults.has(name)) {
      this.#faults.add(name);
      console.error(
        JSON.stringify({
          level: "error",
          event: "live_topic_failed",
          topic: name,
          reason,
          detail: faultWords(error),
        }),
      );
    }
    // A query that is wrong is a fault of that topic; only a database that is away is everybody's trouble.
    if (reason !== "store_unavailable") return;
    this.#troubleSinceMs ??= Date.now();
    // Values must be sent again when they are back, even when they did not change.
    this.#latest.clear();
    this.#send({ topic: "trouble", reason, sinceMs: this.#troubleSinceMs });
  }

  #send(event: LiveEvent): void {
    for (const mailbox of this.#mailboxes) mailbox.put(event);
  }

  #rest(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    // Old values must not greet the next tab as if they were current.
    this.#latest.clear();
    this.#troubleSinceMs = null;
  }
}
