import { encodeUtf8 } from "../bytes/encode-utf8.ts";
import { audioField } from "../openai/parse-audio-request.ts";
import type { RouteKind } from "../openai/route-kind.ts";
import type { HeaderRecord } from "../openai/session-hints.ts";
import { spliceModel } from "../openai/splice-model.ts";
import { withGenerateModel } from "../triton/generate-path.ts";

/** A request as it goes out. */
export interface RenamedRequest {
  readonly path: string;
  readonly body: Uint8Array;
}

/**
 * The request with another model name and every other byte as received: spliced into the JSON, the form field or the
 * path, wherever its protocol names the model. The request must have parsed.
 */
export function renameModel(
  kind: RouteKind,
  path: string,
  body: Uint8Array,
  headers: HeaderRecord,
  model: string,
): RenamedRequest {
  if (kind === "generate") {
    return { path: withGenerateModel(path, model), body };
  }
  if (kind !== "audio") {
    return { path, body: spliceModel(body, model) };
  }
  const field = audioField(body, headers, "model");
  return { path, body: field === null ? body : replaced(body, field.start, field.end, encodeUtf8(model)) };
}

function replaced(body: Uint8Array, start: number, end: number, value: Uint8Array): Uint8Array {
  const whole = new Uint8Array(body.length - (end - start) + value.length);
  whole.set(body.subarray(0, start), 0);
  whole.set(value, start);
  whole.set(body.subarray(end), start + value.length);
  return whole;
}
