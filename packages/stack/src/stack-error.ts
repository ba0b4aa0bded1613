/** Why a part of the stack could not start or go on. The code is stable, the message names the cause and the fix. */
export type StackErrorCode =
  | "already_running"
  | "binaries_missing"
  | "build_failed"
  | "child_exited"
  | "configuration"
  | "data_unusable"
  | "database_failed"
  | "port_in_use"
  | "postgres_failed"
  | "start_timeout";

export class StackError extends Error {
  override readonly name = "StackError";
  readonly code: StackErrorCode;

  constructor(code: StackErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
