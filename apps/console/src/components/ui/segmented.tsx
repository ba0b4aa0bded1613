"use client";

import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

interface Option<Value extends string> {
  readonly value: Value;
  readonly label: ReactNode;
  readonly disabledReason?: string;
}

/** One choice of a few, side by side. */
export function Segmented<Value extends string>({
  label,
  value,
  options,
  onChange,
  size = "normal",
}: {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly Option<Value>[];
  readonly onChange: (value: Value) => void;
  readonly size?: "normal" | "small";
}) {
  return (
    <fieldset
      className="inline-flex min-w-0 max-w-full flex-wrap overflow-hidden rounded-md border border-line-2 bg-panel"
      aria-label={label}
    >
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          disabled={option.disabledReason !== undefined}
          title={option.disabledReason}
          onClick={() => onChange(option.value)}
          className={classNames(
            "border-line-2 px-2.5 text-label whitespace-nowrap text-muted not-last:border-r focus-visible:-outline-offset-2 disabled:cursor-not-allowed",
            size === "small" ? "h-[22px]" : "h-[26px]",
            option.value === value && "bg-raise font-medium text-text shadow-[inset_0_-2px_0_var(--accent)]",
          )}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  );
}
