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
