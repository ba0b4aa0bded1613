import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";

const button = cva(
  "inline-flex items-center justify-center gap-1.5 rounded-md border text-label font-medium whitespace-nowrap transition-colors duration-100 disabled:cursor-not-allowed disabled:border-line-2 disabled:bg-raise disabled:text-muted aria-disabled:cursor-not-allowed aria-disabled:border-line-2 aria-disabled:bg-raise aria-disabled:text-muted",
  {
    variants: {
      kind: {
        primary: "border-accent bg-accent font-semibold text-accent-ink enabled:hover:brightness-110",
        normal: "border-ctl bg-transparent text-text enabled:hover:bg-hover",
        quiet: "border-line-2 bg-transparent text-text enabled:hover:bg-hover",
        ghost: "border-transparent bg-transparent text-muted enabled:hover:bg-hover enabled:hover:text-text",
        danger: "border-crit bg-transparent text-crit enabled:hover:bg-crit-soft",
      },
      size: { normal: "h-7 px-3", small: "h-6 px-2", square: "size-7 p-0" },
    },
    defaultVariants: { kind: "normal", size: "normal" },
  },
);

type ButtonProps = ComponentProps<"button"> &
  VariantProps<typeof button> & {
    /** Why it cannot be pressed; shown on hover and read out. A control is never hidden for lack of a right. */
    readonly disabledReason?: string | null | undefined;
  };

export function Button({ kind, size, className, disabledReason, disabled, title, ...props }: ButtonProps) {
  const isDisabled = Boolean(disabled) || Boolean(disabledReason);
  return (
    <button
      type="button"
      {...props}
      disabled={isDisabled}
      title={disabledReason ?? title}
      aria-description={disabledReason ?? undefined}
      className={classNames(button({ kind, size }), className)}
    />
  );
}
