/** Why a request can never run on this replica. */
export class RequestTooLongError extends Error {
  readonly code = "request_too_long";
  readonly tokens: number;
  readonly limitTokens: number;

  constructor(tokens: number, limitTokens: number) {
    super(`prompt and output need ${tokens} tokens, the replica holds ${limitTokens}`);
    this.name = "RequestTooLongError";
    this.tokens = tokens;
    this.limitTokens = limitTokens;
  }
}
