/** A labelled place on the time axis. */
export interface TimeTick {
  readonly atMs: number;
  readonly label: string;
}

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;
const TICK_STEPS = [
  10_000,
  30_000,
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  7 * DAY,
  14 * DAY,
  28 * DAY,
];

/** Milliseconds the zone is ahead of UTC at a moment. */
export function zoneOffsetMs(atMs: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(atMs);
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((candidate) => candidate.type === type)?.value ?? 0);
  const local = Date.UTC(
    part("year"),
    part("month") - 1,
    part("day"),
    part("hour"),
    part("minute"),
    part("second"),
  );
  return local - Math.floor(atMs / 1000) * 1000;
}

/** Round times of the zone inside the range, at most `maxTicks`; days are named, hours get `HH:mm`. */
export function timeTicks(fromMs: number, toMs: number, maxTicks: number, timeZone: string): TimeTick[] {
  const spanMs = toMs - fromMs;
  const step = TICK_STEPS.find((candidate) => spanMs / candidate <= maxTicks) ?? 56 * DAY;
  const offset = zoneOffsetMs(fromMs, timeZone);
  const first = Math.ceil((fromMs + offset) / step) * step - offset;
  const label = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    ...(step >= DAY
      ? { day: "numeric", month: "short" }
      : {
          hour: "2-digit",
          minute: "2-digit",
          hourCycle: "h23",
          ...(step < MINUTE ? { second: "2-digit" } : {}),
        }),
  });
  const ticks: TimeTick[] = [];
  for (let atMs = first; atMs <= toMs; atMs += step) ticks.push({ atMs, label: label.format(atMs) });
  return ticks;
}
