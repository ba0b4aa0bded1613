import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

const EDGE = {
  info: "border-l-accent",
  ok: "border-l-ok",
  warn: "border-l-warn",
  crit: "border-l-crit",
  draft: "border-l-draft",
} as const;

export type NoticeTone = keyof typeof EDGE;

/** One sentence with subject and number, and what to do about it. First line of a page, or a banner within it. */
export function Notice({
  tone,
  title,
  children,
  actions,
  isAnswer = false,
  className,
}: {
  readonly tone: NoticeTone;
  readonly title: ReactNode;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  /** The page's answer line: larger. */
  readonly isAnswer?: boolean;
  readonly className?: string;
}) {
  return (
    <div
      role={tone === "crit" ? "alert" : "status"}
      className={classNames(
        "flex flex-none items-center gap-x-4 gap-y-2 rounded-md border border-l-4 border-line bg-panel px-4 max-[1100px]:flex-wrap max-[1100px]:py-2",
        isAnswer ? "min-h-14 py-2" : "min-h-10 py-1.5",
        EDGE[tone],
        className,
      )}
    >
      <div className="min-w-0 flex-1 max-[1100px]:min-w-60">
        <div className={isAnswer ? "text-answer font-semibold tracking-tight" : "font-medium"}>{title}</div>
        {children === undefined ? null : <div className="text-label text-muted">{children}</div>}
      </div>
      {actions === undefined ? null : (
        <div className="flex max-w-full flex-none flex-wrap items-center gap-2">{actions}</div>
      )}
    </div>
  );
}
