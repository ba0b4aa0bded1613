"use client";

import dynamic from "next/dynamic";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { LiveProvider } from "#live/live-provider.tsx";
import { FirstDataProvider } from "#search-params/first-data.tsx";
import { useView } from "#search-params/use-view.ts";
import type { Viewer } from "#server/context.ts";
import type { EnvironmentBand } from "#server/environment-band.ts";
import { onSessionEnd } from "#trpc/session-end.ts";
import { type Shortcut, useShortcuts } from "./keyboard.ts";
import { PAGES, pageHref } from "./pages.ts";
import { Rail } from "./rail.tsx";
import { StoreBanner } from "./store-banner.tsx";
import { TopBar } from "./top-bar.tsx";
import { useKeysSetting } from "./use-keys-setting.ts";
import { ViewerProvider } from "./viewer-provider.tsx";

// Loaded when they are opened: most visits need neither.
const HelpSheet = dynamic(() => import("./help-sheet.tsx").then((file) => file.HelpSheet), { ssr: false });
const SessionEnded = dynamic(() => import("./session-ended.tsx").then((file) => file.SessionEnded), {
  ssr: false,
});

interface ShellProps {
  readonly viewer: Viewer;
  readonly environment: EnvironmentBand;
  readonly firstDataAtMs: number | null;
  /** The server's clock. */
  readonly readAtMs: number;
  readonly children: ReactNode;
}

/** Frame of every page: band, rail, top bar, and the page in the rest. */
export function Shell({ viewer, environment, firstDataAtMs, readAtMs, children }: ShellProps) {
  const router = useRouter();
  const params = useSearchParams();
  const path = usePathname();
  const { live, setView } = useView();
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  const [hasSessionEnded, setHasSessionEnded] = useState(false);
  useEffect(() => onSessionEnd(() => setHasSessionEnded(true)), []);
  const [areKeysOn, setKeysOn] = useKeysSetting();
  const range = useRef<HTMLButtonElement>(null);

  const shortcuts: readonly Shortcut[] = [
    ...PAGES.map((page) => ({
      keys: `g ${page.key}`,
      says: `Go to ${page.title}`,
      run: () => router.push(pageHref(page.href, params)),
    })),
    { keys: "/", says: "Filter", run: () => document.querySelector<HTMLElement>("[data-filter]")?.focus() },
    { keys: "t", says: "Time range", run: () => range.current?.click() },
    { keys: "space", says: "Pause and resume updates", run: () => setView({ live: live ? false : null }) },
    { keys: "?", says: "This list", run: () => setIsHelpOpen(true) },
  ];
  useShortcuts(shortcuts, areKeysOn);
  // A drawer needs the width that the rail's words take.
  const isSlim = params.has("open") && !path.startsWith("/policies");

  return (
    <ViewerProvider viewer={viewer}>
      <LiveProvider isPaused={!live}>
        <FirstDataProvider firstDataAtMs={firstDataAtMs} readAtMs={readAtMs}>
          <a
            href="#main"
            className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-panel focus:px-3 focus:py-2"
          >
            Skip to content
          </a>
          <div className="grid h-dvh max-[640px]:h-auto max-[640px]:min-h-dvh grid-cols-[auto_minmax(0,1fr)] grid-rows-[4px_auto_minmax(0,1fr)]">
            <div
              className="col-span-full bg-env"
              style={environment.colour === null ? undefined : { background: environment.colour }}
            />
            <Rail isSlim={isSlim} />
            <TopBar
              viewer={viewer}
              environment={environment}
              range={range}
              onHelp={() => setIsHelpOpen(true)}
            />
            <main
              id="main"
              tabIndex={-1}
              className="relative flex min-h-0 flex-col overflow-x-hidden overflow-y-auto outline-none max-[640px]:overflow-visible"
            >
              <StoreBanner />
              {children}
            </main>
          </div>
          {isHelpOpen ? (
            <HelpSheet
              isOpen
              onOpenChange={setIsHelpOpen}
              shortcuts={shortcuts}
              areKeysOn={areKeysOn}
              onKeysChange={setKeysOn}
            />
          ) : null}
          {hasSessionEnded ? (
            <SessionEnded email={viewer.email} onDone={() => setHasSessionEnded(false)} />
          ) : null}
        </FirstDataProvider>
      </LiveProvider>
    </ViewerProvider>
  );
}
