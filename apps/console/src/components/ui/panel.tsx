import type { ComponentProps, ReactNode } from "react";
import { classNames } from "./class-names.ts";

/** A flat box with a 1 px line; the unit of every page. */
export function Panel({ className, ...props }: ComponentProps<"section">) {
  return (
    <section
      {...props}
      className={classNames(
        "flex min-h-0 min-w-0 flex-col rounded-md border border-line bg-panel",
        className,
      )}
    />
  );
}

/** Head of a panel, 32 px: title, a word beside it, and actions at the right. */
export function PanelHead({
  title,
  note,
  children,
  className,
}: {
  readonly title: ReactNode;
  readonly note?: ReactNode;
  readonly children?: ReactNode;
  readonly className?: string;
}) {
  return (
    <header className={classNames("flex h-8 min-w-0 flex-none items-center gap-2 px-3", className)}>
      <h2 className="text-body font-semibold whitespace-nowrap">{title}</h2>
      {note === undefined ? null : <span className="min-w-0 truncate text-label text-muted">{note}</span>}
      <span className="flex-1" />
      {children}
    </header>
  );
}
