import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

const LOOK = {
  ok: { glyph: "●", colour: "text-ok" },
  warn: { glyph: "▲", colour: "text-warn" },
  crit: { glyph: "■", colour: "text-crit" },
  canary: { glyph: "◆", colour: "text-canary" },
  draft: { glyph: "✎", colour: "text-draft" },
  unknown: { glyph: "◌", colour: "text-unknown" },
} as const;

export type StatusTone = keyof typeof LOOK;

/** A state as glyph, word and colour; never colour alone. */
export function Status({
  tone,
  children,
  className,
}: {
  readonly tone: StatusTone;
  readonly children: ReactNode;
  readonly className?: string;
}) {
  const { glyph, colour } = LOOK[tone];
  return (
    <span className={classNames("inline-flex items-center gap-1.5 whitespace-nowrap", colour, className)}>
      <span aria-hidden="true" className="text-[10px] leading-none">
        {glyph}
      </span>
      {children}
    </span>
  );
}
