import type { Role } from "#server/role.ts";

/** Someone who may use the console, or is invited to. */
export interface Member {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly addedAtMs: number;
  /** When one of their sessions was last refreshed; null when they have none. */
  readonly lastSeenAtMs: number | null;
  /** Until when their invitation can be taken up; null once they have a password. */
  readonly invitedUntilMs: number | null;
}

/** Why a change of members was not made. */
export type MemberRefusal = "unknown_member" | "email_taken" | "last_admin";
