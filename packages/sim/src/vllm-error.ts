import { RequestTooLongError } from "./request-too-long-error.ts";

/** An HTTP error as vLLM answers it. */
export class VllmError extends Error {
  readonly status: number;
  readonly type: string;
  readonly param: string | null;

  constructor(status: number, type: string, message: string, param: string | null = null) {
    super(message);
    this.name = "VllmError";
    this.status = status;
    this.type = type;
    this.param = param;
  }

  /** The body: an error object whose code is the HTTP status as a number. */
  get body(): string {
    return JSON.stringify({
      error: { message: this.message, type: this.type, param: this.param, code: this.status },
    });
  }
}

/** Any failure as vLLM would answer it; what is not known is a 500. */
export function toVllmError(error: unknown): VllmError {
  if (error instanceof VllmError) return error;
  if (error instanceof RequestTooLongError) {
    return new VllmError(
      400,
      "BadRequestError",
      `This model's maximum context length is ${error.limitTokens} tokens. However, your request has ${error.tokens} tokens.`,
      "input_tokens",
    );
  }
  const message = error instanceof Error ? error.message : String(error);
  return new VllmError(500, "InternalServerError", message);
}
