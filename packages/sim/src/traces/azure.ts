import { traceLines } from "./trace-lines.ts";
import { TraceFormatError, type TraceRequest } from "./trace-request.ts";

/**
 * Reads an Azure LLM inference trace: CSV with `TIMESTAMP,ContextTokens,GeneratedTokens`. It says nothing about
 * content: no prefix is ever shared, so a hit rate on it means nothing.
 * @throws TraceFormatError that names line and column
 */
export async function readAzureTrace(file: string): Promise<TraceRequest[]> {
  const rows: { readonly atMs: number; readonly promptTokens: number; readonly outputTokens: number }[] = [];
  for await (const { number, text } of traceLines(file)) {
    if (number === 1 && text.startsWith("TIMESTAMP")) continue;
    rows.push(parseAzureLine(text, file, number));
  }
  const startMs = rows.reduce((least, { atMs }) => Math.min(least, atMs), Number.POSITIVE_INFINITY);
  return rows
    .map((row) => ({
      ...row,
      atMs: row.atMs - startMs,
      blockIds: [],
      blockTokens: 512,
      sessionKey: null,
      adapter: null,
    }))
    .sort((a, b) => a.atMs - b.atMs);
}

/** One data line; `atMs` is a unix time. @throws TraceFormatError */
export function parseAzureLine(
  text: string,
  file: string,
  line: number,
): { readonly atMs: number; readonly promptTokens: number; readonly outputTokens: number } {
  const [timestamp = "", context = "", generated = ""] = text.split(",");
  const atMs = parseUtc(timestamp);
  if (atMs === null) throw new TraceFormatError(file, line, `TIMESTAMP: "${timestamp}" is not a time`);
  return {
    atMs,
    promptTokens: Math.max(1, wholeNumber(context, "ContextTokens", file, line)),
    outputTokens: Math.max(1, wholeNumber(generated, "GeneratedTokens", file, line)),
  };
}

/** "2023-11-16 18:15:46.6805900" as unix ms; `Date` reads no more than 3 decimals reliably. */
function parseUtc(text: string): number | null {
  const match = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})(\.\d+)?$/.exec(text.trim());
  if (match === null) return null;
  const seconds = Date.parse(`${match[1]}T${match[2]}Z`);
  return Number.isNaN(seconds) ? null : seconds + 1000 * Number(match[3] ?? 0);
}

function wholeNumber(text: string, column: string, file: string, line: number): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isInteger(value) || value < 0) {
    throw new TraceFormatError(file, line, `${column}: "${text}" is not a whole number`);
  }
  return value;
}
