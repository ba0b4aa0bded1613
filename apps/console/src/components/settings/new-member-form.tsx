"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { Button } from "#components/ui/button.tsx";
import { TextField } from "#components/ui/text-field.tsx";
import { useEditBlock } from "#live/live-provider.tsx";
import { ROLES } from "#server/role.ts";
import { role as roleSchema } from "#server/role-schema.ts";
import { useTRPC } from "#trpc/client.tsx";
import { failureDetails } from "#trpc/failure-details.ts";
import type { FreshInvitation } from "./members-panel.tsx";

export function NewMemberForm({ onInvited }: { readonly onInvited: (invitation: FreshInvitation) => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const storeBlock = useEditBlock();
  const add = useMutation(
    trpc.members.add.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries({ queryKey: trpc.members.pathKey() }),
    }),
  );

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const values = new FormData(form);
    const text = (name: string) => String(values.get(name) ?? "");
    add.mutate(
      { name: text("name"), email: text("email"), role: roleSchema.parse(text("role")) },
      {
        onSuccess: (invitation, { email }) => {
          onInvited({ email: email.toLowerCase(), ...invitation });
          form.reset();
        },
      },
    );
  }

  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-2 border-t p-3">
      <TextField label="Name" name="name" required maxLength={80} autoComplete="off" className="w-44" />
      <TextField
        label="E-mail"
        name="email"
        type="email"
        required
        maxLength={200}
        autoComplete="off"
        className="w-64"
      />
      <label className="flex flex-col gap-1">
        <span className="text-label font-medium">Role</span>
        <select name="role" defaultValue="viewer" className="h-8 rounded-md border border-ctl bg-bg px-2">
          {ROLES.map((role) => (
            <option key={role}>{role}</option>
          ))}
        </select>
      </label>
      <Button
        type="submit"
        kind="primary"
        className="h-8"
        disabled={add.isPending}
        disabledReason={storeBlock}
      >
        Invite
      </Button>
      {add.isError ? (
        <p role="alert" className="self-center text-crit">
          {failureDetails(add.error).message}
        </p>
      ) : null}
    </form>
  );
}
