/** Zone of the screen: `utc`, `browser`, or an IANA name. */
export type Zone = string;

/** IANA name behind a zone; UTC when it is not one this browser knows. */
export function ianaZone(zone: Zone): string {
  if (zone === "utc") return "UTC";
  if (zone === "browser") return Intl.DateTimeFormat().resolvedOptions().timeZone;
  return isKnownZone(zone) ? zone : "UTC";
}

/** What is printed beside every absolute time. */
export function zoneLabel(zone: Zone): string {
  return ianaZone(zone);
}

function isKnownZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en-GB", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();

function format(zone: Zone, key: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const id = `${zone}|${key}`;
  let found = formats.get(id);
  if (found === undefined) {
    found = new Intl.DateTimeFormat("en-GB", { ...options, timeZone: ianaZone(zone), hourCycle: "h23" });
    formats.set(id, found);
  }
  return found;
}

/** `03:12:04` */
export function clock(ms: number, zone: Zone): string {
  return format(zone, "clock", { hour: "2-digit", minute: "2-digit", second: "2-digit" }).format(ms);
}

/** `03:11:58.412` */
export function clockMs(ms: number, zone: Zone): string {
  return format(zone, "clock-ms", {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    fractionalSecondDigits: 3,
  }).format(ms);
}

/** `29 Nov 03:12` */
export function dayClock(ms: number, zone: Zone): string {
  const day = format(zone, "day", { day: "numeric", month: "short" }).format(ms);
  const time = format(zone, "minute", { hour: "2-digit", minute: "2-digit" }).format(ms);
  return `${day} ${time}`;
}

/** `29 Nov 2026 03:12:04` */
export function fullTime(ms: number, zone: Zone): string {
  const day = format(zone, "full-day", { day: "numeric", month: "short", year: "numeric" }).format(ms);
  return `${day} ${clock(ms, zone)}`;
}

/** Age in words: `2 s`, `4 min`, `3 h 50`, `7 d`. Never negative: clocks differ a little. */
export function age(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${String(minutes % 60).padStart(2, "0")}`;
  return `${Math.round(hours / 24)} d`;
}
