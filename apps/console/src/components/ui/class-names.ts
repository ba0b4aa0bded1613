import { type ClassValue, clsx } from "clsx";
import { extendTailwindMerge } from "tailwind-merge";

/** Our font sizes have names of their own; untold, they would be taken for colours and dropped beside one. */
const merge = extendTailwindMerge({
  extend: { classGroups: { "font-size": [{ text: ["micro", "label", "body", "lead", "answer", "value"] }] } },
});

/** Joins class names; of two that set the same property the later wins. */
export function classNames(...values: ClassValue[]): string {
  return merge(clsx(values));
}
