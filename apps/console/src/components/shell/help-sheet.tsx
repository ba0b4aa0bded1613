"use client";

import { Dialog } from "@base-ui/react/dialog";
import { Button } from "#components/ui/button.tsx";
import { Kbd } from "#components/ui/kbd.tsx";
import { Segmented } from "#components/ui/segmented.tsx";
import type { Shortcut } from "./keyboard.ts";

/** All keys, and the switch that turns them off. */
export function HelpSheet({
  isOpen,
  onOpenChange,
  shortcuts,
  areKeysOn,
  onKeysChange,
}: {
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly shortcuts: readonly Shortcut[];
  readonly areKeysOn: boolean;
  readonly onKeysChange: (areOn: boolean) => void;
}) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-scrim" />
        <Dialog.Popup className="fixed top-24 left-1/2 z-50 w-[420px] max-w-[calc(100vw-32px)] -translate-x-1/2 rounded-md border border-line-2 bg-panel p-4 outline-none">
          <div className="flex items-center justify-between">
            <Dialog.Title className="text-lead font-semibold">Keyboard</Dialog.Title>
            <Dialog.Close render={<Button kind="ghost" size="square" aria-label="Close" />}>✕</Dialog.Close>
          </div>
          <dl className="mt-3 grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2">
            {shortcuts.map((shortcut) => (
              <div key={shortcut.keys} className="contents">
                <dt className="flex gap-1">
                  {shortcut.keys.split(" ").map((key) => (
                    <Kbd key={key}>{key}</Kbd>
                  ))}
                </dt>
                <dd className="text-muted">{shortcut.says}</dd>
              </div>
            ))}
            <dt>
              <Kbd>esc</Kbd>
            </dt>
            <dd className="text-muted">Close the top layer only</dd>
          </dl>
          <div className="mt-4 flex items-center justify-between border-t pt-3">
            <span className="text-muted">Single-key shortcuts</span>
            <Segmented
              label="Single-key shortcuts"
              size="small"
              value={areKeysOn ? "on" : "off"}
              options={[
                { value: "on", label: "On" },
                { value: "off", label: "Off" },
              ]}
              onChange={(value) => onKeysChange(value === "on")}
            />
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
