import { type ApiKeys, KEY_HEADERS } from "../http/api-keys.ts";

/** What a client says of the way its request took is not believed, and engines need none of it. */
const FORWARDING: ReadonlySet<string> = new Set([
  "forwarded",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
]);

const WITH_KEYS: ReadonlySet<string> = new Set([...FORWARDING, ...KEY_HEADERS]);

/** Lower-case names of client headers that do not go on to a replica: with API keys in force, neither do they. */
export function withheldHeaders(apiKeys: ApiKeys): ReadonlySet<string> {
  return apiKeys.isRequired ? WITH_KEYS : FORWARDING;
}
