import type { SignalNote } from "./decision.ts";
import type { ReplicaView } from "./fleet-snapshot.ts";

const MISSING = 1;
const STALE = 2;
const INVALID = 4;
const PRIOR = 8;
const RAMPING = 16;
const PANIC = 32;
/** A replica that joined or became ready less than this ago is called ramping. */
const RAMP_MS = 30_000;

/** Every set of notes, made once: candidates share them. Index: bits as above. */
const NOTE_SETS: readonly (readonly SignalNote[])[] = Array.from({ length: 64 }, (_, bits) => {
  const notes: SignalNote[] = [];
  if (bits & MISSING) notes.push("missing_signal");
  if (bits & STALE) notes.push("stale_signal");
  if (bits & INVALID) notes.push("invalid_signal");
  if (bits & PRIOR) notes.push("rate_from_prior");
  if (bits & RAMPING) notes.push("ramping");
  if (bits & PANIC) notes.push("panic_mode");
  return Object.freeze(notes);
});

/** What must be said of a candidate's signals. */
export function signalNotes(view: ReplicaView, nowMs: number, staleAfterMs: number): readonly SignalNote[] {
  let bits = 0;
  const { signals } = view;
  if (signals === null || signals.running === null || signals.queueDepth === null) bits |= MISSING;
  if (signals !== null && !(nowMs - signals.observedAtMs <= staleAfterMs)) bits |= STALE;
  if (view.hasInvalidSignal) bits |= INVALID;
  if (!view.hasLearnedRates) bits |= PRIOR;
  if (nowMs - view.stateSinceMs < RAMP_MS) bits |= RAMPING;
  if (view.state === "ejected" || view.state === "unreachable") bits |= PANIC;
  return NOTE_SETS[bits] ?? [];
}
