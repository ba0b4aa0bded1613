import type { Db } from "@evenkeel/db/connect";
import type { Role } from "./role.ts";

/** Who asks. */
export interface Viewer {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
}

/** What every procedure gets. */
export interface Context {
  readonly db: Db;
  /** Null when nobody is signed in. Reads the database at most once per request, or not at all. */
  readonly viewer: () => Promise<Viewer | null>;
  /** Reads the role from the database, past the session cache; for verbs that change something. */
  readonly freshViewer: () => Promise<Viewer | null>;
  readonly requestId: string;
  /** Where the request came from, null when that is not told. */
  readonly address: string | null;
}
