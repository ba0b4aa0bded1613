import { parseAsBoolean, parseAsString, parseAsStringLiteral } from "nuqs/server";

/**
 * The part of the address that every page shares. `from` and `to` are ISO times or `now`, `now-6h`; both absent
 * means the page's own default. Range, filter and selection replace the history entry; page, drawer and comparison
 * push one.
 */
export const viewParams = {
  from: parseAsString,
  to: parseAsString,
  /** `utc`, `browser`, or an IANA name. */
  tz: parseAsString.withDefault("utc"),
  /** False while paused. */
  live: parseAsBoolean.withDefault(true),
  model: parseAsString,
  pool: parseAsString,
};

/** Sort direction, as every table writes it. */
export const sortDirection = parseAsStringLiteral(["asc", "desc"] as const);
