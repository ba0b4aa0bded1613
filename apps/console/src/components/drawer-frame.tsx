"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Kbd } from "#components/ui/kbd.tsx";

/** The right drawer: the list stays beside it, Escape or ✕ closes it, its address can be copied. */
export function DrawerFrame({
  title,
  subject,
  note,
  width,
  onClose,
  walkKeys = false,
  children,
}: {
  readonly title: string;
  readonly subject: string;
  readonly note?: ReactNode;
  readonly width: 480 | 640;
  readonly onClose: () => void;
  /** Whether `j` and `k` walk the list behind it. */
  readonly walkKeys?: boolean;
  readonly children: ReactNode;
}) {
  const aside = useRef<HTMLElement>(null);
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    // Whoever opens the drawer by keyboard goes on reading in it, and Escape gives the focus back to where it was.
    const before = document.activeElement;
    aside.current?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <aside
      ref={aside}
      tabIndex={-1}
      aria-label={`${title} ${subject}`}
      className="flex flex-none flex-col overflow-x-hidden overflow-y-auto border-l border-line-2 bg-panel outline-none max-[1100px]:absolute max-[1100px]:inset-y-0 max-[1100px]:right-0 max-[1100px]:z-20 max-[1100px]:max-w-full"
      style={{ width }}
    >
      <header className="flex h-10 flex-none items-center gap-2 border-b pr-2 pl-4">
        <h2 className="text-lead font-semibold whitespace-nowrap">{title}</h2>
        <span
          className="mono min-w-0 truncate rounded-sm border border-line-2 px-1.5 leading-5"
          title={subject}
        >
          {subject}
        </span>
        {note === undefined ? null : <span className="min-w-0 truncate text-label text-muted">{note}</span>}
        <span className="flex-1" />
        {walkKeys ? (
          <span className="flex gap-1 max-wide:hidden">
            <Kbd>j</Kbd>
            <Kbd>k</Kbd>
          </span>
        ) : null}
        <Button
          size="small"
          kind="quiet"
          onClick={() => {
            void navigator.clipboard.writeText(window.location.href).then(() => setCopied(true));
          }}
        >
          {copied ? "Copied" : "Copy link"}
        </Button>
        <Button size="square" kind="ghost" aria-label="Close" title="Close (esc)" onClick={onClose}>
          ✕
        </Button>
      </header>
      {children}
    </aside>
  );
}
