import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

/** A part that scrolls by itself; reachable by keyboard, so that it can be scrolled without a pointer. */
export function ScrollRegion({
  label,
  children,
  className,
}: {
  readonly label: string;
  readonly children: ReactNode;
  readonly className?: string;
}) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling by keyboard needs the focus here
      tabIndex={0}
      className={classNames(
        "relative min-h-0 flex-1 overflow-auto focus-visible:-outline-offset-2",
        className,
      )}
    >
      {children}
    </section>
  );
}
