import type { Candidate, FilteredReplica, FilterReason, SignalNote } from "@evenkeel/scheduler/decision";
import { ByteReader } from "./byte-reader.ts";
import { ByteWriter } from "./byte-writer.ts";
import type { Attempt } from "./decision-record.ts";
import { readNumbers, writeCounts, writeFloats, writeNear } from "./number-column.ts";
import { ATTEMPT_CODES, FILTER_CODES, NOTE_BITS, wordsOf } from "./stored-codes.ts";

const VERSION = 1;
/** Reused: encoding is synchronous. */
const into = new ByteWriter();
const FILTER_WORDS = wordsOf(FILTER_CODES);
const ATTEMPT_WORDS = wordsOf(ATTEMPT_CODES);
const NOTE_WORDS = wordsOf(NOTE_BITS);

/** What `decisions.detail` is made of. */
export interface DetailSource {
  readonly candidates: readonly Candidate[];
  readonly filtered: readonly FilteredReplica[];
  readonly attempts: readonly Attempt[];
}

/** What `decisions.detail` holds. A replica is its position in the row's replica set. */
export interface DecisionDetail {
  /** In rank order. */
  readonly candidates: readonly CandidateDetail[];
  readonly filtered: readonly FilteredDetail[];
  readonly attempts: readonly AttemptDetail[];
}

export interface FilteredDetail {
  readonly position: number;
  readonly reason: FilterReason;
}

export interface CandidateDetail extends Omit<Candidate, "replica"> {
  readonly position: number;
}

export interface AttemptDetail extends Omit<Attempt, "replica"> {
  readonly position: number;
}

/**
 * Packs a detail into parallel arrays, some 25 to 35 bytes a candidate where Postgres arrays take over 60: each field
 * is one column, whole numbers take as many bytes as they need, equal values and zeros are written once, and cost and
 * predicted TTFT are written as their distance from a sum of the terms.
 */
export function encodeDecisionDetail(
  source: DetailSource,
  positionOf: (replica: string) => number,
): Uint8Array {
  const { candidates, filtered, attempts } = source;
  into.truncate(0);
  into.byte(VERSION);
  into.varint(candidates.length);
  into.varint(filtered.length);
  into.varint(attempts.length);
  if (candidates.length > 0) writeCandidates(candidates, positionOf);
  if (filtered.length > 0) {
    writeCounts(into, filtered, (each) => positionOf(each.replica));
    writeCounts(into, filtered, (each) => FILTER_CODES[each.reason]);
  }
  if (attempts.length > 0) {
    writeCounts(into, attempts, (each) => positionOf(each.replica));
    writeCounts(into, attempts, (each) => ATTEMPT_CODES[each.outcome]);
    writeCounts(into, attempts, (each) => each.status);
    writeFloats(into, attempts, (each) => each.durationMs);
  }
  return into.written().slice();
}

/** @throws RangeError when the bytes are not a detail, or of a later release. */
export function decodeDecisionDetail(bytes: Uint8Array): DecisionDetail {
  const from = new ByteReader(bytes);
  const version = from.byte();
  if (version !== VERSION) {
    throw new RangeError(`decision detail of version ${version}; this release reads ${VERSION}`);
  }
  const candidateCount = from.varint();
  const filteredCount = from.varint();
  const attemptCount = from.varint();
  return {
    candidates: candidateCount > 0 ? readCandidates(from, candidateCount) : [],
    filtered: filteredCount > 0 ? readFiltered(from, filteredCount) : [],
    attempts: attemptCount > 0 ? readAttempts(from, attemptCount) : [],
  };
}

function writeCandidates(candidates: readonly Candidate[], positionOf: (replica: string) => number): void {
  writeCounts(into, candidates, (each) => positionOf(each.replica));
  writeCounts(into, candidates, (each) => each.terms.length);
  const termCount = candidates.reduce((most, each) => Math.max(most, each.terms.length), 0);
  for (let term = 0; term < termCount; term++) {
    writeFloats(into, candidates, (each) => each.terms[term] ?? null);
  }
  const sums = termSums(candidates, termCount);
  writeNear(into, candidates, (each) => each.cost, sums);
  writeNear(into, candidates, (each) => each.predictedTtftMs, sums);
  writeCounts(into, candidates, (each) => each.cachedTokens);
  writeCounts(into, candidates, (each) => each.inFlight);
  writeCounts(into, candidates, (each) => each.queueDepth);
  writeCounts(into, candidates, (each) => each.running);
  writeFloats(into, candidates, (each) => each.kvOccupancy);
  writeFloats(into, candidates, (each) => each.signalAgeMs);
  writeCounts(into, candidates, (each) => notesMask(each.notes));
}

function readCandidates(from: ByteReader, count: number): CandidateDetail[] {
  const position = readNumbers(from, count);
  const lengths = readNumbers(from, count).map((length) => length ?? 0);
  const termCount = lengths.reduce((most, length) => Math.max(most, length), 0);
  const columns = Array.from({ length: termCount }, () => readNumbers(from, count));
  const withTerms = lengths.map((length, i) => ({
    terms: columns.slice(0, length).map((column) => present(column[i])),
  }));
  const sums = termSums(withTerms, termCount);
  const cost = readNumbers(from, count, sums);
  const predictedTtftMs = readNumbers(from, count, sums);
  const cachedTokens = readNumbers(from, count);
  const inFlight = readNumbers(from, count);
  const queueDepth = readNumbers(from, count);
  const running = readNumbers(from, count);
  const kvOccupancy = readNumbers(from, count);
  const signalAgeMs = readNumbers(from, count);
  const notes = readNumbers(from, count);
  return withTerms.map(({ terms }, i) => ({
    position: present(position[i]),
    cost: present(cost[i]),
    terms,
    predictedTtftMs: present(predictedTtftMs[i]),
    cachedTokens: present(cachedTokens[i]),
    inFlight: present(inFlight[i]),
    queueDepth: queueDepth[i] ?? null,
    running: running[i] ?? null,
    kvOccupancy: kvOccupancy[i] ?? null,
    signalAgeMs: signalAgeMs[i] ?? null,
    notes: notesOf(present(notes[i])),
  }));
}

function readFiltered(from: ByteReader, count: number): FilteredDetail[] {
  const position = readNumbers(from, count);
  const reason = readNumbers(from, count);
  return position.map((at, i) => ({ position: present(at), reason: wordOf(FILTER_WORDS, reason[i]) }));
}

function readAttempts(from: ByteReader, count: number): AttemptDetail[] {
  const position = readNumbers(from, count);
  const outcome = readNumbers(from, count);
  const status = readNumbers(from, count);
  const durationMs = readNumbers(from, count);
  return position.map((at, i) => ({
    position: present(at),
    outcome: wordOf(ATTEMPT_WORDS, outcome[i]),
    status: status[i] ?? null,
    durationMs: present(durationMs[i]),
  }));
}

/** For each number of leading terms, most first, their sums: a cost is the sum of all, a predicted TTFT often of a few. */
function termSums(
  candidates: readonly { readonly terms: readonly number[] }[],
  termCount: number,
): Float32Array[] {
  const sums: Float32Array[] = [];
  const running = new Float64Array(candidates.length);
  for (let term = 0; term < termCount; term++) {
    const rounded = new Float32Array(candidates.length);
    for (let i = 0; i < candidates.length; i++) {
      const sum = (running[i] ?? 0) + Math.fround(candidates[i]?.terms[term] ?? 0);
      running[i] = sum;
      rounded[i] = sum;
    }
    sums.unshift(rounded);
  }
  return sums;
}

function notesMask(notes: readonly SignalNote[]): number {
  let mask = 0;
  for (const note of notes) mask |= NOTE_BITS[note];
  return mask;
}

function notesOf(mask: number): SignalNote[] {
  const notes: SignalNote[] = [];
  for (const [bit, note] of NOTE_WORDS) if (mask & bit) notes.push(note);
  return notes;
}

function present(value: number | null | undefined): number {
  if (value === null || value === undefined)
    throw new RangeError("decision detail lacks a number it must have");
  return value;
}

function wordOf<Word>(words: ReadonlyMap<number, Word>, code: number | null | undefined): Word {
  const word = words.get(present(code));
  if (word === undefined)
    throw new RangeError(`decision detail holds the code ${code}, unknown to this release`);
  return word;
}
