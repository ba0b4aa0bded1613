import { decodeUtf8 } from "../bytes/decode-utf8.ts";
import { type FormPart, formBoundary, readFormParts } from "../multipart/form-parts.ts";
import type { ParsedRequest, ParseResult } from "./parse-request.ts";
import { checkModelName } from "./read-field.ts";
import { asRequestResult, RequestProblemError } from "./request-problem.ts";
import { findSessionKey, type HeaderRecord, readSessionHints } from "./session-hints.ts";

/** Longest text field read; only short ones matter here. */
const MAX_TEXT_BYTES = 4096;

/** Reads the multipart form of an audio transcription or translation; `model` may come after the file. */
export function parseAudioRequest(bytes: Uint8Array, headers: HeaderRecord): ParseResult {
  return asRequestResult(() => readAudioRequest(bytes, headers));
}

/** The form's last part of a name, the one servers keep; null when there is none. */
export function audioField(bytes: Uint8Array, headers: HeaderRecord, name: string): FormPart | null {
  return audioParts(bytes, headers).findLast((part) => part.name === name && !part.isFile) ?? null;
}

function readAudioRequest(bytes: Uint8Array, headers: HeaderRecord): ParsedRequest {
  const parts = audioParts(bytes, headers);
  const text = (name: string) => {
    const part = parts.findLast((entry) => entry.name === name && !entry.isFile);
    return part === undefined || part.end - part.start > MAX_TEXT_BYTES
      ? null
      : decodeUtf8(bytes.subarray(part.start, part.end));
  };
  const model = text("model");
  if (model === null) {
    throw new RequestProblemError(
      "model",
      "The form has no model field. Add one with a name GET /v1/models lists.",
    );
  }
  const fields = { user: text("user") };
  return {
    kind: "audio",
    model: checkModelName(model),
    isStreaming: readFormFlag("stream", text("stream")),
    wantsUsage: readFormFlag("stream_include_usage", text("stream_include_usage")),
    answerCount: 1,
    maxOutputTokens: null,
    sessionHints: readSessionHints(fields, headers),
    sessionKey: (sources) => findSessionKey(sources, fields, headers),
    prompts: [{ parts: [], mediaCount: 1 }],
    cacheSalt: null,
    loraPath: null,
    priority: null,
    previousResponseId: null,
  };
}

function audioParts(bytes: Uint8Array, headers: HeaderRecord): readonly FormPart[] {
  const type = headers["content-type"];
  const boundary = typeof type === "string" ? formBoundary(type) : null;
  if (boundary === null) {
    throw new RequestProblemError(
      "content-type",
      "Audio is sent as multipart/form-data with a boundary. Let your client set the content type.",
    );
  }
  const form = readFormParts(bytes, boundary);
  if (!form.ok) {
    throw new RequestProblemError("body", form.message);
  }
  return form.parts;
}

/** Form fields are text; these spellings are what the engines' frameworks take for a truth value. */
function readFormFlag(name: string, value: string | null): boolean {
  const word = value?.trim().toLowerCase() ?? "";
  if (["true", "1", "on", "yes", "t", "y"].includes(word)) {
    return true;
  }
  if (["", "false", "0", "off", "no", "f", "n"].includes(word)) {
    return false;
  }
  throw new RequestProblemError(name, `${name} must be true or false.`);
}
