export type DbErrorCode =
  | "database_newer"
  | "database_behind"
  | "database_rights"
  | "database_unsupported"
  | "invalid_record"
  | "invalid_retention"
  | "migration_failed"
  | "reason_required"
  | "spool_in_use"
  | "unknown_api_key"
  | "unknown_revision";

/** An error of the store with a stable code; the message names the cause and the fix. */
export class DbError extends Error {
  readonly code: DbErrorCode;

  constructor(code: DbErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "DbError";
    this.code = code;
  }
}
