import { encodeUtf8 } from "../bytes/encode-utf8.ts";
import { locateValue } from "../json/locate-value.ts";

/**
 * Replaces the value of the top-level `model` key and copies every other byte as received. The body must already
 * have parsed as an object with a `model`; without one it is returned unchanged.
 */
export function spliceModel(body: Uint8Array, model: string): Uint8Array {
  const range = locateValue(body, "model");
  if (range === null) {
    return body;
  }
  const value = encodeUtf8(JSON.stringify(model));
  const spliced = new Uint8Array(body.length - (range.end - range.start) + value.length);
  spliced.set(body.subarray(0, range.start), 0);
  spliced.set(value, range.start);
  spliced.set(body.subarray(range.end), range.start + value.length);
  return spliced;
}
