"use client";

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { signIn } from "#components/sign-in/sign-in.ts";
import { Button } from "#components/ui/button.tsx";
import { TextField } from "#components/ui/text-field.tsx";
import { useTRPC } from "#trpc/client.tsx";
import { failureDetails } from "#trpc/failure-details.ts";

/** Takes up an invitation: a password of one's own, and in. */
export function Accept({ token, name }: { readonly token: string; readonly name: string }) {
  const trpc = useTRPC();
  const [fault, setFault] = useState<string | null>(null);
  const accept = useMutation(trpc.setup.acceptInvitation.mutationOptions());

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const password = String(form.get("password") ?? "");
    if (password !== String(form.get("again") ?? "")) return setFault("The two passwords differ.");
    setFault(null);
    try {
      const { email } = await accept.mutateAsync({ token, password });
      const problem = await signIn(email, password);
      window.location.assign(problem === null ? "/" : "/sign-in");
    } catch (error) {
      setFault(failureDetails(error).message);
    }
  }

  return (
    <div className="rounded-md border bg-panel p-6">
      <h1 className="mb-4 text-answer font-semibold tracking-tight">Welcome, {name}</h1>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          required
          minLength={12}
          maxLength={256}
          hint="At least 12 characters."
          autoFocus
        />
        <TextField label="Password again" name="again" type="password" autoComplete="new-password" required />
        <div role="alert" className="min-h-4 text-label text-crit">
          {fault}
        </div>
        <Button type="submit" kind="primary" disabled={accept.isPending} className="h-8">
          {accept.isPending ? "Working…" : "Set password and sign in"}
        </Button>
      </form>
    </div>
  );
}
