import { z } from "zod";

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
