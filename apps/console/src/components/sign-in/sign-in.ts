/** What the server says of a refusal, null when it says nothing. By hand: every page loads this. */
async function refusal(response: Response): Promise<string | null> {
  const said: unknown = await response.json().catch(() => null);
  if (typeof said !== "object" || said === null || !("message" in said)) return null;
  return typeof said.message === "string" ? said.message : null;
}

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
    return (await refusal(response)) ?? "Signing in failed.";
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
    return (await refusal(response)) ?? "The password was not changed.";
  } catch {
    return "The console cannot be reached.";
  }
}
