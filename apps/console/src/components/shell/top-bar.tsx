"use client";

import type { RefObject } from "react";
import type { Viewer } from "#server/context.ts";
import type { EnvironmentBand } from "#server/environment-band.ts";
import { LivePill } from "./live-pill.tsx";
import { ModelFilter } from "./model-filter.tsx";
import { RangePicker } from "./range-picker.tsx";
import { RevisionChip } from "./revision-chip.tsx";
import { ThemeMenu } from "./theme-menu.tsx";
import { UserMenu } from "./user-menu.tsx";

interface TopBarProps {
  readonly viewer: Viewer;
  readonly environment: EnvironmentBand;
  readonly range: RefObject<HTMLButtonElement | null>;
  readonly onHelp: () => void;
}

/** The frame of every query: environment, filter, range, freshness, policy, person. */
export function TopBar({ viewer, environment, range, onHelp }: TopBarProps) {
  const { name, colour, ink } = environment;
  return (
    <header className="flex min-h-11 min-w-0 flex-wrap items-center gap-2 border-b px-4 py-1 max-wide:gap-1.5">
      <span
        className="rounded-sm bg-env px-2 text-[11px] leading-5 font-semibold tracking-wider text-env-ink uppercase"
        style={colour === null ? undefined : { background: colour, color: ink ?? undefined }}
      >
        {name}
      </span>
      <ModelFilter />
      <RangePicker trigger={range} />
      <LivePill />
      <span className="flex-1" />
      <RevisionChip />
      <ThemeMenu />
      <UserMenu viewer={viewer} onHelp={onHelp} />
    </header>
  );
}
