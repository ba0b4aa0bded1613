"use client";

import { useRoleBlock } from "#components/shell/viewer-provider.tsx";
import { Panel, PanelHead } from "#components/ui/panel.tsx";
import { MembersPanel } from "./members-panel.tsx";
import { PasswordPanel } from "./password-panel.tsx";

/** Who may use the console, and one's own account. */
export function SettingsPage() {
  const block = useRoleBlock("admin");
  return (
    <>
      <div className="flex h-9 flex-none items-center border-b px-4">
        <h1 className="text-lead font-semibold tracking-tight">Settings</h1>
      </div>
      <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)_360px] items-start gap-2 px-4 pt-2 pb-4 max-[1100px]:flex-none max-[1100px]:grid-cols-1">
        {block === null ? (
          <MembersPanel />
        ) : (
          <Panel>
            <PanelHead title="Members" />
            <p className="border-t p-3 text-muted">{block}</p>
          </Panel>
        )}
        <PasswordPanel />
      </div>
    </>
  );
}
