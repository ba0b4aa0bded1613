import { editObject, type ObjectEdits } from "../../json/edit-object.ts";
import { locateValue } from "../../json/locate-value.ts";

/** Asks the prefill engine to keep the prompt's KV blocks for another engine to fetch. */
const KEEP_FOR_DECODE = JSON.stringify({
  do_remote_decode: true,
  do_remote_prefill: false,
  remote_engine_id: null,
  remote_block_ids: null,
  remote_host: null,
  remote_port: null,
});

/** Limits that would contradict a single token, and options of streams only. */
const REMOVED = ["stream_options", "min_tokens", "min_completion_tokens"] as const;

/**
 * The body of the prefill leg (NIXL connector): the client's, not streamed, stopping after one token. Each of the
 * token limits the client used is set to 1; `max_tokens` is set in any case, except for the Responses API, which has
 * its own.
 */
export function prefillBody(body: Uint8Array, route: "chat" | "completions" | "responses"): Uint8Array {
  const limits = route === "responses" ? ["max_output_tokens"] : ["max_tokens"];
  if (route !== "responses" && locateValue(body, "max_completion_tokens") !== null) {
    limits.push("max_completion_tokens");
  }
  const set: Record<string, string> = { stream: "false", kv_transfer_params: KEEP_FOR_DECODE };
  for (const limit of limits) {
    set[limit] = "1";
  }
  const edits: ObjectEdits = { set, remove: REMOVED };
  return editObject(body, edits);
}

/**
 * The transfer parameters in the prefill leg's answer, as its bytes: they are opaque, differ between versions and must
 * reach the decode engine whole. Null when it gave none: the decode engine then computes the prompt itself.
 */
export function transferParams(prefillAnswer: Uint8Array): Uint8Array | null {
  const range = locateValue(prefillAnswer, "kv_transfer_params");
  if (range === null) {
    return null;
  }
  const params = prefillAnswer.subarray(range.start, range.end);
  // Anything but an object, such as null, carries nothing.
  return params[0] === 0x7b ? params : null;
}

/** The body of the decode leg: the client's with the transfer parameters, or as it is when there are none. */
export function decodeBody(body: Uint8Array, params: Uint8Array | null): Uint8Array {
  return params === null
    ? editObject(body, { set: {}, remove: ["kv_transfer_params"] })
    : editObject(body, { set: { kv_transfer_params: params } });
}
