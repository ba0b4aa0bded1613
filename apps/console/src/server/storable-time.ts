import { z } from "zod";

/** First millisecond of 2200. */
export const MAX_TIME_MS = Date.UTC(2200, 0, 1);

/** Milliseconds since 1970, up to 2200: well within what dates of the language and of Postgres hold. */
export const storableTimeMs = z
  .number()
  .int("must be whole milliseconds since 1970")
  .min(0, "must not lie before 1970")
  .max(MAX_TIME_MS, "must not lie after 2199");
