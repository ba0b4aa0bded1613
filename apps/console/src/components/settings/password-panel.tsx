"use client";

import { type FormEvent, useState } from "react";
import { useViewer } from "#components/shell/viewer-provider.tsx";
import { changePassword } from "#components/sign-in/sign-in.ts";
import { Button } from "#components/ui/button.tsx";
import { Panel, PanelHead } from "#components/ui/panel.tsx";
import { TextField } from "#components/ui/text-field.tsx";
import { useEditBlock } from "#live/live-provider.tsx";

type Outcome =
  | { readonly kind: "none" }
  | { readonly kind: "done" }
  | { readonly kind: "fault"; readonly says: string };

/** One's own password; changing it ends every other session of the account. */
export function PasswordPanel() {
  const viewer = useViewer();
  const storeBlock = useEditBlock();
  const [outcome, setOutcome] = useState<Outcome>({ kind: "none" });
  const [isBusy, setIsBusy] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const values = new FormData(form);
    const text = (name: string) => String(values.get(name) ?? "");
    if (text("new") !== text("again"))
      return setOutcome({ kind: "fault", says: "The two new passwords differ." });
    setIsBusy(true);
    const problem = await changePassword(text("current"), text("new"));
    setIsBusy(false);
    setOutcome(problem === null ? { kind: "done" } : { kind: "fault", says: problem });
    if (problem === null) form.reset();
  }

  return (
    <Panel>
      <PanelHead title={viewer.name} note={`${viewer.email}, ${viewer.role}`} />
      <form onSubmit={submit} className="flex flex-col gap-3 border-t p-3">
        <TextField
          label="Current password"
          name="current"
          type="password"
          autoComplete="current-password"
          required
        />
        <TextField
          label="New password"
          name="new"
          type="password"
          autoComplete="new-password"
          required
          minLength={12}
          maxLength={256}
          hint="At least 12 characters."
        />
        <TextField
          label="New password again"
          name="again"
          type="password"
          autoComplete="new-password"
          required
        />
        <Button type="submit" disabled={isBusy} disabledReason={storeBlock} className="self-start">
          {isBusy ? "Working…" : "Change password"}
        </Button>
        <p role="status" className="text-label empty:hidden">
          {outcome.kind === "done" ? (
            <span className="text-ok">● Changed. Every other session of yours has ended.</span>
          ) : outcome.kind === "fault" ? (
            <span className="text-crit">{outcome.says}</span>
          ) : null}
        </p>
      </form>
    </Panel>
  );
}
