import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { type Rng, seededRng } from "@evenkeel/scheduler/rng";
import { z } from "zod";
import { drawGap } from "../random-draws.ts";
import { parseJsonLine } from "./json-line.ts";
import { tarEntries } from "./tar-entries.ts";
import { TraceFormatError, type TraceRequest } from "./trace-request.ts";

/** How a client sends in a window of time. */
interface RateWindow {
  readonly startS: number;
  readonly ratePerSecond: number;
  /** Coefficient of variation of the gaps. */
  readonly variation: number;
}

/** A distribution as cumulative shares by token count. */
export interface LengthTable {
  readonly tokens: readonly number[];
  readonly cumulative: readonly number[];
}

interface LengthWindow {
  readonly startS: number;
  readonly input: LengthTable;
  readonly output: LengthTable;
}

/** One client of a production service: when it sends, and how long its requests are. */
export interface ServeGenClient {
  readonly id: string;
  readonly rates: readonly RateWindow[];
  readonly lengths: readonly LengthWindow[];
}

const dataset = z.record(z.string(), z.object({ input_tokens: z.string(), output_tokens: z.string() }));

/**
 * Reads a ServeGen client pool (a .tar.gz of `chunk-N-trace.csv` and `chunk-N-dataset.json`). Clients without length
 * data are left out.
 * @throws TraceFormatError that names the member file
 */
export async function readServeGenPool(file: string): Promise<ServeGenClient[]> {
  const bytes = await readFile(file).catch(() => {
    throw new Error(`cannot read the client pool ${file}`);
  });
  const text = new TextDecoder();
  const members = new Map<string, string>();
  for (const { name, data } of tarEntries(gunzipSync(bytes))) {
    members.set(name.split("/").at(-1) ?? name, text.decode(data));
  }
  const clients: ServeGenClient[] = [];
  for (const [name, content] of members) {
    const id = /^(chunk-\d+)-trace\.csv$/.exec(name)?.[1];
    const lengths = id === undefined ? undefined : members.get(`${id}-dataset.json`);
    if (id === undefined || lengths === undefined) continue;
    const client = serveGenClient(id, content, lengths);
    if (client.lengths.length > 0) clients.push(client);
  }
  return clients.sort((a, b) => a.id.localeCompare(b.id, "en", { numeric: true }));
}

/** One client from its two files. @throws TraceFormatError */
export function serveGenClient(id: string, rates: string, lengths: string): ServeGenClient {
  const windows = rates
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line, index): RateWindow => {
      const [startS = Number.NaN, ratePerSecond = Number.NaN, variation = Number.NaN] = line
        .split(",")
        .map(Number);
      if (Number.isNaN(startS) || !(ratePerSecond >= 0) || !(variation >= 0)) {
        throw new TraceFormatError(`${id}-trace.csv`, index + 1, "expected start, rate and CV as numbers");
      }
      return { startS, ratePerSecond, variation };
    });
  const data = parseJsonLine(dataset, lengths, `${id}-dataset.json`, 1);
  const tables = Object.entries(data).flatMap(([startS, window]): LengthWindow[] => {
    const input = lengthTable(window.input_tokens);
    const output = lengthTable(window.output_tokens);
    return input === null || output === null ? [] : [{ startS: Number(startS), input, output }];
  });
  return { id, rates: windows, lengths: tables.sort((a, b) => a.startS - b.startS) };
}

/** "{12: 0.25, 80: 0.75}" as cumulative shares; null for an empty one, which stands for a window without requests. */
export function lengthTable(text: string): LengthTable | null {
  const tokens: number[] = [];
  const cumulative: number[] = [];
  let total = 0;
  for (const match of text.matchAll(/(\d+(?:\.\d+)?): ([\d.eE+-]+)/g)) {
    const share = Number(match[2]);
    if (!(share > 0)) continue;
    total += share;
    tokens.push(Number(match[1]));
    cumulative.push(total);
  }
  return tokens.length === 0 ? null : { tokens, cumulative };
}

/**
 * Requests of a pool between `fromS` and `fromS` + `durationMs` of its recorded days. The clients keep their own
 * burstiness (Gamma gaps with the recorded variation) and their share of the load; together they send `ratePerSecond`.
 */
export function serveGenTrace(options: {
  readonly clients: readonly ServeGenClient[];
  readonly fromS: number;
  readonly durationMs: number;
  readonly ratePerSecond: number;
  readonly seed: number;
}): TraceRequest[] {
  const { clients, fromS, durationMs } = options;
  const ownRate = clients.reduce(
    (sum, client) => sum + (windowAt(client.rates, fromS)?.ratePerSecond ?? 0),
    0,
  );
  const scale = ownRate === 0 ? 0 : options.ratePerSecond / ownRate;
  const requests: TraceRequest[] = [];
  for (const [index, client] of clients.entries()) {
    const rng = seededRng(options.seed * 65_537 + index);
    let atMs = 0;
    for (;;) {
      const window = windowAt(client.rates, fromS + atMs / 1000);
      const rate = scale * (window?.ratePerSecond ?? 0);
      // A silent window is left in steps of a minute, so that a client that wakes up is not missed.
      atMs += rate > 0 ? drawGap(rng, 1000 / rate, Math.max(0.1, window?.variation ?? 1)) : 60_000;
      if (atMs >= durationMs) break;
      if (rate === 0) continue;
      const lengths = windowAt(client.lengths, fromS + atMs / 1000) ?? client.lengths[0];
      if (lengths === undefined) break;
      requests.push({
        atMs,
        promptTokens: Math.max(1, Math.round(draw(lengths.input, rng))),
        outputTokens: Math.max(1, Math.round(draw(lengths.output, rng))),
        blockIds: [],
        blockTokens: 512,
        sessionKey: null,
        adapter: null,
      });
    }
  }
  return requests.sort((a, b) => a.atMs - b.atMs);
}

function windowAt<T extends { readonly startS: number }>(windows: readonly T[], atS: number): T | undefined {
  return windows.findLast(({ startS }) => startS <= atS);
}

function draw({ tokens, cumulative }: LengthTable, rng: Rng): number {
  const at = rng() * (cumulative.at(-1) ?? 0);
  return tokens[cumulative.findIndex((share) => share >= at)] ?? tokens.at(-1) ?? 1;
}
