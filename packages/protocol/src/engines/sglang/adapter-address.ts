import type { AdapterAddress } from "../adapter-admin.ts";

/**
 * SGLang's address of an adapter. A bare adapter name would silently run the base model there, and it splits
 * `model` at the first colon, so a base name with a colon needs the separate field.
 */
export function sglangAdapterAddress(base: string, adapter: string): AdapterAddress {
  return base.includes(":")
    ? { model: base, loraPath: adapter }
    : { model: `${base}:${adapter}`, loraPath: null };
}
