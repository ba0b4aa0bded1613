"use client";

import { type FormEvent, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { TextField } from "#components/ui/text-field.tsx";
import { signIn } from "./sign-in.ts";

/** E-mail and password. `onDone` runs once the session cookie is set. */
export function SignInForm({ email, onDone }: { readonly email?: string; readonly onDone: () => void }) {
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setIsBusy(true);
    const problem = await signIn(String(form.get("email")), String(form.get("password")));
    setIsBusy(false);
    setFault(problem);
    if (problem === null) onDone();
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <TextField
        label="E-mail"
        name="email"
        type="email"
        autoComplete="username"
        required
        defaultValue={email}
        autoFocus={email === undefined}
      />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        required
        autoFocus={email !== undefined}
      />
      <div role="alert" className="min-h-4 text-label text-crit">
        {fault}
      </div>
      <Button type="submit" kind="primary" disabled={isBusy} className="h-8">
        {isBusy ? "Signing in…" : "Sign in"}
      </Button>
    </form>
  );
}
