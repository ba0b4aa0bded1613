/** One sample of a Prometheus page. */
export interface Sample {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  /** May be NaN or infinite: the page said so. */
  readonly value: number;
  /** Milliseconds since 1970, null when the line has none, as is usual. */
  readonly timestampMs: number | null;
}

/** A line that could not be read. It gives no sample. */
export interface LineProblem {
  /** From 1; null when it is not one line's fault. */
  readonly line: number | null;
  readonly code:
    | "invalid_name"
    | "invalid_labels"
    | "invalid_value"
    | "invalid_timestamp"
    | "conflicting_series";
}

export type PrometheusPage =
  | { readonly ok: true; readonly samples: readonly Sample[]; readonly problems: readonly LineProblem[] }
  /** The body is something else, such as a proxy's HTML error page or JSON. */
  | { readonly ok: false; readonly code: "not_prometheus"; readonly message: string };

/** Most problems listed; a page of garbage must not cost memory. */
const MAX_PROBLEMS = 100;

/**
 * Reads the Prometheus text format (0.0.4, and OpenMetrics samples with their exemplars). Good lines among bad ones are
 * kept; a series that appears twice with different values is dropped, since either could be wrong.
 * @param wanted names to read; others are skipped unread. Null reads all.
 */
export function parsePrometheusText(text: string, wanted: ReadonlySet<string> | null = null): PrometheusPage {
  const first = /\S/.exec(text)?.[0];
  if (first === "<" || first === "{" || first === "[") {
    return { ok: false, code: "not_prometheus", message: "The body is not Prometheus text." };
  }
  const samples: Sample[] = [];
  const problems: LineProblem[] = [];
  let start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  for (let line = 1; start < text.length; line++) {
    const lf = text.indexOf("\n", start);
    const next = lf === -1 ? text.length : lf;
    const end = text.charCodeAt(next - 1) === 0x0d && next > start ? next - 1 : next;
    const result = readLine(text, start, end, wanted);
    if (typeof result === "string") {
      if (problems.length < MAX_PROBLEMS) {
        problems.push({ line, code: result });
      }
    } else if (result !== null) {
      samples.push(result);
    }
    start = next + 1;
  }
  return { ok: true, ...withoutConflicts(samples, problems) };
}

type LineResult = Sample | LineProblem["code"] | null;

function readLine(text: string, start: number, end: number, wanted: ReadonlySet<string> | null): LineResult {
  let at = skipBlanks(text, start, end);
  if (at === end || text.charCodeAt(at) === 0x23) {
    return null;
  }
  const nameStart = at;
  while (at < end && isNameCode(text.charCodeAt(at), at === nameStart)) {
    at += 1;
  }
  if (at === nameStart) {
    return "invalid_name";
  }
  const name = text.slice(nameStart, at);
  if (wanted !== null && !wanted.has(name)) {
    return null;
  }
  const labels = new Map<string, string>();
  at = skipBlanks(text, at, end);
  if (text.charCodeAt(at) === 0x7b && at < end) {
    at = readLabels(text, at + 1, end, labels);
    if (at === -1) {
      return "invalid_labels";
    }
  }
  return readValue(text, at, end, name, labels);
}

function readValue(
  text: string,
  from: number,
  end: number,
  name: string,
  labels: Map<string, string>,
): LineResult {
  // An OpenMetrics exemplar follows a hash after the value; quotes cannot occur before it.
  const hash = text.indexOf(" # ", from);
  const stop = hash !== -1 && hash < end ? hash : end;
  const fields = text
    .slice(from, stop)
    .trim()
    .split(/[ \t]+/);
  const value = readNumber(fields[0] ?? "");
  if (value === null || fields.length > 2) {
    return "invalid_value";
  }
  const stamp = fields[1];
  if (stamp === undefined) {
    return { name, labels, value, timestampMs: null };
  }
  const timestamp = readNumber(stamp);
  if (timestamp === null || !Number.isFinite(timestamp)) {
    return "invalid_timestamp";
  }
  // OpenMetrics stamps seconds with a fraction, the older format whole milliseconds.
  return { name, labels, value, timestampMs: stamp.includes(".") ? timestamp * 1000 : timestamp };
}

/** Reads labels after the opening brace; returns the position after the closing one, or -1. */
function readLabels(text: string, from: number, end: number, labels: Map<string, string>): number {
  let at = skipBlanks(text, from, end);
  while (at < end) {
    if (text.charCodeAt(at) === 0x7d) {
      return at + 1;
    }
    const nameStart = at;
    while (at < end && isNameCode(text.charCodeAt(at), at === nameStart)) {
      at += 1;
    }
    const name = text.slice(nameStart, at);
    at = skipBlanks(text, at, end);
    if (name === "" || text.charCodeAt(at) !== 0x3d) {
      return -1;
    }
    at = skipBlanks(text, at + 1, end);
    if (text.charCodeAt(at) !== 0x22) {
      return -1;
    }
    const close = closingQuote(text, at + 1, end);
    if (close === -1 || labels.has(name)) {
      return -1;
    }
    labels.set(name, unescapeLabel(text.slice(at + 1, close)));
    at = skipBlanks(text, close + 1, end);
    if (text.charCodeAt(at) === 0x2c) {
      at = skipBlanks(text, at + 1, end);
    } else if (text.charCodeAt(at) !== 0x7d) {
      return -1;
    }
  }
  return -1;
}

function closingQuote(text: string, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x5c) {
      at += 1;
    } else if (code === 0x22) {
      return at;
    }
  }
  return -1;
}

function unescapeLabel(raw: string): string {
  return raw.includes("\\") ? raw.replaceAll(/\\(["\\n])/g, (_, c) => (c === "n" ? "\n" : c)) : raw;
}

/** Go's float syntax: what JavaScript reads, minus its blanks and radixes, plus spelled infinities. */
function readNumber(text: string): number | null {
  if (/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text)) {
    return Number(text);
  }
  const word = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (word === null) {
    return null;
  }
  if (word[2]?.toLowerCase() === "nan") {
    return Number.NaN;
  }
  return word[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

function withoutConflicts(samples: Sample[], problems: LineProblem[]) {
  const seen = new Map<string, Sample>();
  const conflicting = new Set<string>();
  for (const sample of samples) {
    const key = seriesKey(sample);
    const earlier = seen.get(key);
    if (earlier !== undefined && !Object.is(earlier.value, sample.value)) {
      conflicting.add(key);
    }
    seen.set(key, sample);
  }
  if (conflicting.size === 0) {
    return { samples, problems };
  }
  problems.push(...Array.from(conflicting, () => ({ line: null, code: "conflicting_series" as const })));
  return { samples: samples.filter((sample) => !conflicting.has(seriesKey(sample))), problems };
}

function seriesKey(sample: Sample): string {
  if (sample.labels.size === 0) {
    return sample.name;
  }
  const labels = [...sample.labels].map(([name, value]) => `${name}\u0000${value}`).sort();
  return `${sample.name}\u0001${labels.join("\u0001")}`;
}

function isNameCode(code: number, isFirst: boolean): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    code === 0x5f ||
    code === 0x3a ||
    (!isFirst && code >= 0x30 && code <= 0x39)
  );
}

function skipBlanks(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && (text.charCodeAt(at) === 0x20 || text.charCodeAt(at) === 0x09)) {
    at += 1;
  }
  return at;
}
