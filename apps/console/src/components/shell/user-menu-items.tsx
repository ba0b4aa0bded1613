"use client";

import { Menu } from "@base-ui/react/menu";
import type { ReactElement } from "react";
import { signOut } from "#components/sign-in/sign-in.ts";
import type { Viewer } from "#server/context.ts";
import { MENU_ITEM, POPUP } from "./chip.ts";

/** Who is signed in, and what they can do about it; open when it first appears. */
export default function UserMenuItems({
  trigger,
  viewer,
  onHelp,
}: {
  readonly trigger: ReactElement;
  readonly viewer: Viewer;
  readonly onHelp: () => void;
}) {
  return (
    <Menu.Root defaultOpen>
      <Menu.Trigger render={trigger} />
      <Menu.Portal role="region" aria-label="Menu">
        <Menu.Positioner sideOffset={4} align="end">
          <Menu.Popup className={POPUP}>
            <div className="border-b px-3 pt-1 pb-2 text-muted">
              {viewer.email}
              <br />
              Role {viewer.role}
            </div>
            <Menu.Item className={MENU_ITEM} onClick={onHelp}>
              Keyboard
              <span className="ml-auto font-mono text-[10px] text-muted">?</span>
            </Menu.Item>
            <Menu.Item
              className={MENU_ITEM}
              onClick={async () => {
                await signOut();
                // A full load drops everything the page holds of the session.
                window.location.assign("/sign-in");
              }}
            >
              Sign out
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
