import { plainAddress } from "./true-address.ts";

/** The address a request came from, as `tellTrueAddress` wrote it; null when none is told. */
export function clientAddress(headers: Headers): string | null {
  return plainAddress(headers.get("x-forwarded-for") ?? "");
}
