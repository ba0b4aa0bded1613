/** Why a request cannot be routed. The message names the fix and never quotes prompt text. */
export interface RequestProblem {
  readonly code: "invalid_request";
  /** The body field (`messages[2].content`) or header at fault; `body` when it is the body as a whole. */
  readonly field: string;
  readonly message: string;
}

/**
 * Thrown inside the request parsers only, so that each check is one line; the exported parse functions turn it
 * into a result and never let it out.
 */
export class RequestProblemError extends Error {
  readonly problem: RequestProblem;

  constructor(field: string, message: string) {
    super(message);
    this.problem = { code: "invalid_request", field, message };
  }
}

/** Runs a parser and returns its value, or the problem it met. */
export function asRequestResult<T>(
  parse: () => T,
): { ok: true; request: T } | { ok: false; problem: RequestProblem } {
  try {
    return { ok: true, request: parse() };
  } catch (error) {
    if (error instanceof RequestProblemError) {
      return { ok: false, problem: error.problem };
    }
    throw error;
  }
}
