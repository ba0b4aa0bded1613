// The small build: this is loaded by every page.
import * as z from "zod/mini";

const refusal = z.object({ message: z.string() });

/** Null when signed in, else the sentence to show. */
export async function signIn(email: string, password: string): Promise<string | null> {
  try {
    const response = await fetch("/api/auth/sign-in/email", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ email, password }),
    });
    if (response.ok) return null;
    if (response.status === 401) return "E-mail or password is wrong.";
    if (response.status >= 500) return "The console cannot check the password now: the database may be away.";
    const said = refusal.safeParse(await response.json().catch(() => null));
    return said.success ? said.data.message : "Signing in failed.";
  } catch {
    return "The console cannot be reached.";
  }
}

/** Ends the session on the server; the cookie goes with it. */
export async function signOut(): Promise<void> {
  await fetch("/api/auth/sign-out", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: "{}",
  }).catch(() => null);
}

/** Null when changed, else the sentence to show. Ends the account's other sessions. */
export async function changePassword(currentPassword: string, newPassword: string): Promise<string | null> {
  try {
    const response = await fetch("/api/auth/change-password", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ currentPassword, newPassword, revokeOtherSessions: true }),
    });
    if (response.ok) return null;
    if (response.status >= 500) return "The password cannot be changed now: the database may be away.";
    if (response.status === 401) return "Your session has ended. Sign in again.";
    const said = refusal.safeParse(await response.json().catch(() => null));
    return said.success ? said.data.message : "The password was not changed.";
  } catch {
    return "The console cannot be reached.";
  }
}
