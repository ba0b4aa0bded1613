"use client";

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { signIn } from "#components/sign-in/sign-in.ts";
import { Button } from "#components/ui/button.tsx";
import { TextField } from "#components/ui/text-field.tsx";
import { useTRPC } from "#trpc/client.tsx";

const MIN_LENGTH = 12;

/** Makes the first admin and signs them in. */
export function Setup({ token }: { readonly token: string }) {
  const trpc = useTRPC();
  const [fault, setFault] = useState<string | null>(null);
  const create = useMutation(trpc.setup.createAdmin.mutationOptions());

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? "");
    const password = text("password");
    if (password !== text("again")) return setFault("The two passwords differ.");
    setFault(null);
    try {
      const { email } = await create.mutateAsync({
        token: token === "" ? text("token").trim() : token,
        name: text("name"),
        email: text("email"),
        password,
      });
      const problem = await signIn(email, password);
      window.location.assign(problem === null ? "/" : "/sign-in");
    } catch (error) {
      setFault(error instanceof Error ? error.message : "Setting up failed.");
    }
  }

  return (
    <div className="rounded-md border bg-panel p-6">
      <h1 className="text-answer font-semibold tracking-tight">Make the first admin</h1>
      <p className="mt-1 mb-4 text-muted">
        Nobody can sign in yet. The console printed a link with a one-time token when it started; only who has
        it can do this.
      </p>
      <form onSubmit={submit} className="flex flex-col gap-4">
        {token === "" ? (
          <TextField
            label="Token"
            name="token"
            autoComplete="off"
            required
            hint="From the link in the console's output."
          />
        ) : null}
        <TextField
          label="Name"
          name="name"
          autoComplete="name"
          required
          maxLength={80}
          autoFocus
          hint="Shown beside what you change."
        />
        <TextField label="E-mail" name="email" type="email" autoComplete="username" required />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          required
          minLength={MIN_LENGTH}
          hint={`At least ${MIN_LENGTH} characters.`}
        />
        <TextField label="Password again" name="again" type="password" autoComplete="new-password" required />
        <div role="alert" className="min-h-4 text-label text-crit">
          {fault}
        </div>
        <Button type="submit" kind="primary" disabled={create.isPending} className="h-8">
          {create.isPending ? "Working…" : "Make admin and sign in"}
        </Button>
      </form>
    </div>
  );
}
