import type { FilterReason, SignalNote } from "@evenkeel/scheduler/decision";
import type { AttemptOutcome } from "./decision-record.ts";

/*
 * Numbers that stand for words inside `decisions.detail`. Stored rows rely on them: a number is never given to another
 * word. The types make a new word fail to compile until it has one.
 */

/** Bit of each note. */
export const NOTE_BITS = {
  missing_signal: 1,
  stale_signal: 2,
  invalid_signal: 4,
  rate_from_prior: 8,
  ramping: 16,
  panic_mode: 32,
} as const satisfies Record<SignalNote, number>;

export const FILTER_CODES = {
  ejected: 1,
  unreachable: 2,
  starting: 3,
  draining: 4,
  cordoned: 5,
  other_arm: 6,
  role: 7,
  adapter_unavailable: 8,
  in_flight_limit: 9,
  already_tried: 10,
  paused: 11,
} as const satisfies Record<FilterReason, number>;

export const ATTEMPT_CODES = {
  completed: 1,
  client_gone: 2,
  connect_failed: 3,
  reset_before_first_byte: 4,
  first_byte_timeout: 5,
  engine_saturated: 6,
  engine_error: 7,
  client_error: 8,
  broken_stream: 9,
  idle_timeout: 10,
} as const satisfies Record<AttemptOutcome, number>;

/** The word of each number of a table above. */
export function wordsOf<Word extends string>(
  codes: Readonly<Record<Word, number>>,
): ReadonlyMap<number, Word> {
  // Cast: Object.entries forgets the key type that Record<Word, …> guarantees.
  const entries = Object.entries(codes) as [Word, number][];
  return new Map(entries.map(([word, code]) => [code, word]));
}
