import type { Auth } from "./auth.ts";
import type { Viewer } from "./context.ts";
import { role } from "./role-schema.ts";

/**
 * Who the cookie says is asking; null when nobody. `isFresh` reads the database instead of the signed copy in
 * the cookie.
 */
export async function viewerOf(auth: Auth, headers: Headers, isFresh: boolean): Promise<Viewer | null> {
  const session = await auth.api.getSession({ headers, query: { disableCookieCache: isFresh } });
  if (session === null) return null;
  const { id, name, email } = session.user;
  return { userId: id, name, email, role: role.parse(session.user.role) };
}
