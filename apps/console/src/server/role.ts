// The small build: this is loaded by every page.
import * as z from "zod/mini";

/** From least to most allowed; each includes what the one before may do. */
export const ROLES = ["viewer", "operator", "admin"] as const;
export const role = z.enum(ROLES);
export type Role = z.infer<typeof role>;

/** Whether `have` may do what asks for `need`. */
export function allows(have: Role, need: Role): boolean {
  return ROLES.indexOf(have) >= ROLES.indexOf(need);
}
