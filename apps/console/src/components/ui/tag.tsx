import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";

const tag = cva("inline-flex items-center gap-1 rounded-sm px-1.5 text-micro font-medium whitespace-nowrap", {
  variants: {
    tone: {
      plain: "bg-raise text-muted",
      ok: "bg-ok-soft text-ok",
      warn: "bg-warn-soft text-warn",
      crit: "bg-crit-soft text-crit",
      canary: "bg-canary-soft text-canary",
      draft: "bg-draft-soft text-draft",
      accent: "bg-accent-soft text-accent",
    },
  },
  defaultVariants: { tone: "plain" },
});

export function Tag({ tone, className, ...props }: ComponentProps<"span"> & VariantProps<typeof tag>) {
  return <span {...props} className={classNames(tag({ tone }), className)} />;
}
