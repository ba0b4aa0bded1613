"use client";

import { lazy } from "react";
import { OnDemand } from "#components/popup/on-demand.tsx";
import type { Viewer } from "#server/context.ts";
import { GHOST_CHIP } from "./chip.ts";

const load = () => import("./user-menu-items.tsx");
const UserMenuItems = lazy(load);

export function UserMenu({ viewer, onHelp }: { readonly viewer: Viewer; readonly onHelp: () => void }) {
  const trigger = (
    <button type="button" className={GHOST_CHIP}>
      <span className="max-w-32 truncate font-medium">{viewer.name}</span>
      <span className="text-muted max-wide:sr-only">{viewer.role}</span>
    </button>
  );
  return (
    <OnDemand trigger={trigger} kind="menu" load={load}>
      <UserMenuItems trigger={trigger} viewer={viewer} onHelp={onHelp} />
    </OnDemand>
  );
}
