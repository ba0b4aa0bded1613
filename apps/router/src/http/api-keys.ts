import { timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { type ApiKey, type ApiKeyRing, apiKeyHash } from "@evenkeel/db/api-keys";
import { RouterError } from "./router-error.ts";

/** Lets a key's request go again; call it once. */
export type Release = () => void;

/** Client headers that may hold a key of the router's: none of them goes on to a replica. */
export const KEY_HEADERS: ReadonlySet<string> = new Set(["authorization", "x-api-key"]);

interface KnownKey extends ApiKey {
  readonly digest: Buffer;
}

const NOTHING: Release = () => {};

/**
 * Who may use the data plane. As long as no key has ever been made, everybody who reaches the router; from then on
 * only holders of a valid one, each within its own limit. While neither is known, nobody.
 */
export class ApiKeys {
  #isRequired: boolean | null;
  #keys: readonly KnownKey[] = [];
  readonly #inFlight = new Map<string, number>();

  /** @param isOpen whether it is known that nobody needs a key, as in a router without a store */
  constructor(isOpen: boolean) {
    this.#isRequired = isOpen ? false : null;
  }

  replace(ring: ApiKeyRing): void {
    this.#isRequired = ring.isRequired;
    this.#keys = ring.keys.map((key) => ({ ...key, digest: Buffer.from(key.hash, "hex") }));
  }

  /** Whether clients must bring a key. */
  get isRequired(): boolean {
    return this.#isRequired !== false;
  }

  /**
   * Admits one request.
   * @throws RouterError unauthorized, saturated, or no_replica while it is not known who may pass
   */
  admit(headers: IncomingHttpHeaders): Release {
    if (this.#isRequired === null) {
      throw new RouterError("no_replica", "The router does not know its API keys yet. Try again shortly.");
    }
    if (!this.#isRequired) return NOTHING;
    const key = this.#find(keyOf(headers));
    if (key === null) {
      throw new RouterError(
        "unauthorized",
        "Send a valid API key, as Authorization: Bearer KEY or x-api-key: KEY.",
      );
    }
    const inFlight = this.#inFlight.get(key.id) ?? 0;
    if (key.maxInFlight !== null && inFlight >= key.maxInFlight) {
      throw new RouterError(
        "saturated",
        "This API key has as many requests running as it may. Try again later.",
      );
    }
    this.#inFlight.set(key.id, inFlight + 1);
    return () => this.#release(key.id);
  }

  /** Looks at every key, whichever matches: the time it takes says nothing. */
  #find(sent: string | null): KnownKey | null {
    if (sent === null) return null;
    const digest = Buffer.from(apiKeyHash(sent), "hex");
    let found: KnownKey | null = null;
    for (const key of this.#keys) if (timingSafeEqual(key.digest, digest)) found = key;
    return found;
  }

  #release(id: string): void {
    const left = (this.#inFlight.get(id) ?? 1) - 1;
    if (left === 0) this.#inFlight.delete(id);
    else this.#inFlight.set(id, left);
  }
}

function keyOf(headers: IncomingHttpHeaders): string | null {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
  const plain = headers["x-api-key"];
  return bearer ?? (typeof plain === "string" && plain !== "" ? plain : null);
}
