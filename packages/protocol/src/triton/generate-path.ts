/** The parts of a Triton generate path. */
export interface GeneratePath {
  readonly model: string;
  readonly isStreaming: boolean;
}

const PATTERN = /^\/v2\/models\/([^/]+)(?:\/versions\/[^/]+)?\/generate(_stream)?$/;

/** Reads `/v2/models/{m}[/versions/{v}]/generate[_stream]`, its query ignored; null for any other path. */
export function readGeneratePath(path: string): GeneratePath | null {
  const match = PATTERN.exec(path.split("?", 1)[0] ?? "");
  const model = match?.[1] === undefined ? null : decodeSegment(match[1]);
  return model === null ? null : { model, isStreaming: match?.[2] !== undefined };
}

/** The same path for another model. */
export function withGenerateModel(path: string, model: string): string {
  return path.replace(/^\/v2\/models\/[^/]+/, () => `/v2/models/${encodeURIComponent(model)}`);
}

function decodeSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
