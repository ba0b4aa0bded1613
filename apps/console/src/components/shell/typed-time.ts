import { ianaZone, type Zone } from "#format/time.ts";

/** A moment as people type it: `2026-11-29 03:12` in a zone. */
export function writeTyped(ms: number, zone: Zone): string {
  const parts = partsIn(ms, ianaZone(zone));
  return `${parts.year}-${parts.month}-${parts.day} ${parts.hour}:${parts.minute}`;
}

/** Reads what `writeTyped` writes; null when it is not a time. A time that a clock change skips reads as the one after it. */
export function readTyped(text: string, zone: Zone): number | null {
  const match = /^\s*(\d{4})-(\d{2})-(\d{2})[ T](\d{2}):(\d{2})\s*$/.exec(text);
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = match.slice(1).map(Number);
  const asUtc = Date.UTC(year, month - 1, day, hour, minute);
  const back = new Date(asUtc);
  // Date.UTC rolls 31 Feb over; such a date is not a time.
  if (back.getUTCMonth() !== month - 1 || back.getUTCDate() !== day || hour > 23 || minute > 59) return null;
  const name = ianaZone(zone);
  // Two rounds: the offset may differ between the guess and the result around a clock change.
  let ms = asUtc - offsetMs(asUtc, name);
  ms = asUtc - offsetMs(ms, name);
  return ms;
}

/** Search parameters of a fixed range. */
export function absoluteRange(fromMs: number, toMs: number): { readonly from: string; readonly to: string } {
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
}

function offsetMs(ms: number, name: string): number {
  const { year, month, day, hour, minute, second } = partsIn(ms, name);
  const local = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
  return local - Math.floor(ms / 1000) * 1000;
}

function partsIn(ms: number, timeZone: string) {
  const formatter = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  });
  const found = new Map(formatter.formatToParts(ms).map((part) => [part.type, part.value]));
  const get = (type: Intl.DateTimeFormatPartTypes) => found.get(type) ?? "00";
  return {
    year: get("year"),
    month: get("month"),
    day: get("day"),
    hour: get("hour"),
    minute: get("minute"),
    second: get("second"),
  };
}
