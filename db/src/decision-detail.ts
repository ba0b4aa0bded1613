import type { FilterReason, SignalNote } from "@evenkeel/scheduler/decision";
import { ByteReader } from "./byte-reader.ts";
import { ByteWriter } from "./byte-writer.ts";
import type { AttemptOutcome } from "./decision-record.ts";
import { readNumbers, writeCounts, writeFloats, writeNear } from "./number-column.ts";
import { ATTEMPT_CODES, FILTER_CODES, NOTE_BITS, wordsOf } from "./stored-codes.ts";

const VERSION = 1;
const FILTER_WORDS = wordsOf(FILTER_CODES);
const ATTEMPT_WORDS = wordsOf(ATTEMPT_CODES);
const NOTE_WORDS = wordsOf(NOTE_BITS);

/** What `decisions.detail` holds. Replicas are positions in the row's `candidates` followed by `other_replicas`. */
export interface DecisionDetail {
  /** In rank order, as `candidates`. */
  readonly candidates: readonly CandidateDetail[];
  /** Reasons of the filtered replicas, which lead `other_replicas`. */
  readonly filtered: readonly FilterReason[];
  readonly attempts: readonly AttemptDetail[];
}

export interface CandidateDetail {
  readonly cost: number;
  readonly terms: readonly number[];
  readonly predictedTtftMs: number;
  readonly cachedTokens: number;
  readonly inFlight: number;
  readonly queueDepth: number | null;
  readonly running: number | null;
  readonly kvOccupancy: number | null;
  readonly signalAgeMs: number | null;
  readonly notes: readonly SignalNote[];
}

export interface AttemptDetail {
  readonly position: number;
  readonly outcome: AttemptOutcome;
  readonly status: number | null;
  readonly durationMs: number;
}

/**
 * Packs a detail into parallel arrays, about 18 to 30 bytes per candidate where Postgres arrays take over 60: each
 * field is one column, whole numbers take as many bytes as they need, equal values are written once, and cost and
 * predicted TTFT are written as their distance from a sum of the terms.
 */
export function encodeDecisionDetail(detail: DecisionDetail): Uint8Array {
  const { candidates, filtered, attempts } = detail;
  const into = new ByteWriter();
  into.byte(VERSION);
  into.varint(candidates.length);
  into.varint(filtered.length);
  into.varint(attempts.length);
  if (candidates.length > 0) {
    writeCounts(
      into,
      candidates.map((c) => c.terms.length),
    );
    const termCount = mostTerms(candidates.map((c) => c.terms.length));
    for (let term = 0; term < termCount; term++)
      writeFloats(
        into,
        candidates.map((c) => c.terms[term] ?? null),
      );
    const sums = termSums(
      candidates.map((c) => c.terms.map(Math.fround)),
      termCount,
    );
    writeNear(
      into,
      candidates.map((c) => Math.fround(c.cost)),
      sums,
    );
    writeNear(
      into,
      candidates.map((c) => Math.fround(c.predictedTtftMs)),
      sums,
    );
    writeCounts(
      into,
      candidates.map((c) => c.cachedTokens),
    );
    writeCounts(
      into,
      candidates.map((c) => c.inFlight),
    );
    writeCounts(
      into,
      candidates.map((c) => c.queueDepth),
    );
    writeCounts(
      into,
      candidates.map((c) => c.running),
    );
    writeFloats(
      into,
      candidates.map((c) => c.kvOccupancy),
    );
    writeFloats(
      into,
      candidates.map((c) => c.signalAgeMs),
    );
    writeCounts(
      into,
      candidates.map((c) => notesMask(c.notes)),
    );
  }
  if (filtered.length > 0)
    writeCounts(
      into,
      filtered.map((reason) => FILTER_CODES[reason]),
    );
  if (attempts.length > 0) {
    writeCounts(
      into,
      attempts.map((a) => a.position),
    );
    writeCounts(
      into,
      attempts.map((a) => ATTEMPT_CODES[a.outcome]),
    );
    writeCounts(
      into,
      attempts.map((a) => a.status),
    );
    writeFloats(
      into,
      attempts.map((a) => a.durationMs),
    );
  }
  return into.written();
}

/** @throws RangeError when the bytes are not a detail, or of a later release. */
export function decodeDecisionDetail(bytes: Uint8Array): DecisionDetail {
  const from = new ByteReader(bytes);
  const version = from.byte();
  if (version !== VERSION)
    throw new RangeError(`decision detail of version ${version}; this release reads ${VERSION}`);
  const candidateCount = from.varint();
  const filteredCount = from.varint();
  const attemptCount = from.varint();
  return {
    candidates: candidateCount > 0 ? readCandidates(from, candidateCount) : [],
    filtered:
      filteredCount > 0 ? readNumbers(from, filteredCount).map((code) => wordOf(FILTER_WORDS, code)) : [],
    attempts: attemptCount > 0 ? readAttempts(from, attemptCount) : [],
  };
}

function readCandidates(from: ByteReader, count: number): CandidateDetail[] {
  const lengths = readNumbers(from, count).map((length) => length ?? 0);
  const termCount = mostTerms(lengths);
  const columns = Array.from({ length: termCount }, () => readNumbers(from, count));
  const terms = lengths.map((length, i) => columns.slice(0, length).map((column) => known(column[i])));
  const sums = termSums(terms, termCount);
  const cost = readNumbers(from, count, sums);
  const predictedTtftMs = readNumbers(from, count, sums);
  const cachedTokens = readNumbers(from, count);
  const inFlight = readNumbers(from, count);
  const queueDepth = readNumbers(from, count);
  const running = readNumbers(from, count);
  const kvOccupancy = readNumbers(from, count);
  const signalAgeMs = readNumbers(from, count);
  const notes = readNumbers(from, count);
  return terms.map((termsOfCandidate, i) => ({
    cost: known(cost[i]),
    terms: termsOfCandidate,
    predictedTtftMs: known(predictedTtftMs[i]),
    cachedTokens: known(cachedTokens[i]),
    inFlight: known(inFlight[i]),
    queueDepth: queueDepth[i] ?? null,
    running: running[i] ?? null,
    kvOccupancy: kvOccupancy[i] ?? null,
    signalAgeMs: signalAgeMs[i] ?? null,
    notes: notesOf(known(notes[i])),
  }));
}

function readAttempts(from: ByteReader, count: number): AttemptDetail[] {
  const position = readNumbers(from, count);
  const outcome = readNumbers(from, count);
  const status = readNumbers(from, count);
  const durationMs = readNumbers(from, count);
  return position.map((at, i) => ({
    position: known(at),
    outcome: wordOf(ATTEMPT_WORDS, outcome[i]),
    status: status[i] ?? null,
    durationMs: known(durationMs[i]),
  }));
}

/** For each number of leading terms, their sum per candidate: cost is the sum of all, predicted TTFT often of the first few. */
function termSums(terms: readonly (readonly number[])[], termCount: number): number[][] {
  const sums: number[][] = [];
  let sum = terms.map(() => 0);
  for (let term = 0; term < termCount; term++) {
    sum = sum.map((soFar, i) => soFar + (terms[i]?.[term] ?? 0));
    sums.unshift(sum.map(Math.fround));
  }
  return sums;
}

function mostTerms(lengths: readonly number[]): number {
  return lengths.reduce((most, length) => Math.max(most, length), 0);
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

function known(value: number | null | undefined): number {
  if (value === null || value === undefined)
    throw new RangeError("decision detail lacks a number it must have");
  return value;
}

function wordOf<Word>(words: ReadonlyMap<number, Word>, code: number | null | undefined): Word {
  const word = words.get(known(code));
  if (word === undefined)
    throw new RangeError(`decision detail holds the code ${code}, unknown to this release`);
  return word;
}
