import { clock, dayClock, type Zone } from "#format/time.ts";
import { rangeAt, type TimeRange } from "#search-params/time-range.ts";

/** The range as the top bar prints it: both ends, or its start alone where data begin; and how long it is. */
export function rangeWords(
  range: TimeRange,
  nowMs: number,
  zone: Zone,
  isSinceFirstData = false,
): { readonly span: string; readonly length: string } {
  const { fromMs, toMs } = rangeAt(range, nowMs);
  const start = dayClock(fromMs, zone);
  if (isSinceFirstData) {
    return { span: `since ${clock(fromMs, zone).slice(0, 5)}`, length: lengthWords(toMs - fromMs) };
  }
  const end = dayClock(toMs, zone);
  const isSameDay = start.slice(0, -6) === end.slice(0, -6);
  const span = isSameDay ? `${start} – ${clock(toMs, zone).slice(0, 5)}` : `${start} – ${end}`;
  return { span, length: lengthWords(toMs - fromMs) };
}

function lengthWords(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 120 && minutes % 60 !== 0) return `${minutes} min`;
  const hours = minutes / 60;
  if (hours < 48) return `${Number.isInteger(hours) ? hours : hours.toFixed(1)} h`;
  return `${Math.round(hours / 24)} d`;
}
