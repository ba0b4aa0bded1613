import type { ReactNode } from "react";
import type { PageId } from "./pages.ts";

const PATHS: Readonly<Record<PageId, ReactNode>> = {
  fleet: <path d="M2 2h5v5H2zM9 2h5v5H9zM2 9h5v5H2zM9 9h5v5H9z" />,
  decisions: <path d="M2 8h4M6 8c3 0 2-5 5-5h3M6 8c3 0 2 5 5 5h3M6 8h8" />,
  policies: <path d="M2 4h7M13 4h1M2 12h1M7 12h7M11 2.5v3M5 10.5v3" />,
  settings: (
    <>
      <circle cx="8" cy="8" r="2.2" />
      <path d="M8 1.8v2M8 12.2v2M1.8 8h2M12.2 8h2M3.6 3.6 5 5M11 11l1.4 1.4M3.6 12.4 5 11M11 5l1.4-1.4" />
    </>
  ),
};

export function PageIcon({ page }: { readonly page: PageId }) {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className="flex-none"
    >
      {PATHS[page]}
    </svg>
  );
}

/** A hull under a level waterline. */
export function Logo({ size = 20 }: { readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      aria-hidden="true"
      className="flex-none"
      strokeLinecap="round"
      strokeWidth="1.6"
    >
      <path d="M2 7.5h16" stroke="currentColor" />
      <path d="M4 10.5c.6 4 3 6.5 6 6.5s5.4-2.5 6-6.5" stroke="currentColor" />
      <path d="M10 2.5v15" stroke="var(--accent)" />
    </svg>
  );
}
