"use client";

import { useEffect, useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { fullTime, zoneLabel } from "#format/time.ts";
import { useView } from "#search-params/use-view.ts";
import type { FreshInvitation } from "./members-panel.tsx";

/** The link of a new invitation, shown once: the database keeps only its hash. */
export function InvitationNotice({
  invitation,
  onClose,
}: {
  readonly invitation: FreshInvitation;
  readonly onClose: () => void;
}) {
  const { tz } = useView();
  const field = useRef<HTMLInputElement>(null);
  const [isCopied, setIsCopied] = useState(false);
  const link = `${window.location.origin}/invite?token=${invitation.token}`;
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
    setIsCopied(false);
  }, []);
  return (
    <div className="flex flex-col gap-2 border-t border-l-4 border-l-accent px-3 py-2.5">
      <p>
        <span className="font-medium">Give this link to {invitation.email}.</span>{" "}
        <span className="text-muted">
          It is shown this once, sets one password, and ends {fullTime(invitation.expiresAtMs, tz)}{" "}
          {zoneLabel(tz)}.
        </span>
      </p>
      <div className="flex items-center gap-2">
        <input
          ref={field}
          readOnly
          value={link}
          aria-label="Invitation link"
          className="mono h-7 min-w-0 flex-1 rounded-md border border-ctl bg-bg px-2"
        />
        <Button
          onClick={() => {
            // Plain http allows no clipboard; the selected field can still be copied by hand.
            void navigator.clipboard?.writeText(link).then(() => setIsCopied(true));
            field.current?.select();
          }}
        >
          {isCopied ? "Copied" : "Copy"}
        </Button>
        <Button kind="quiet" onClick={onClose}>
          Close
        </Button>
      </div>
    </div>
  );
}
