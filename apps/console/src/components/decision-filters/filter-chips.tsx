"use client";

import { X } from "lucide-react";
import type { DecisionFilter, DecisionFilterField } from "#server/decisions/decision-filter.ts";
import { activeFields } from "./filter-fields.ts";

/** What narrows the list; each goes with one click. */
export function FilterChips({
  filter,
  onRemove,
}: {
  readonly filter: DecisionFilter;
  readonly onRemove: (field: DecisionFilterField) => void;
}) {
  return activeFields(filter).map(({ field, words }) => (
    <button
      key={field.id}
      type="button"
      title={`${field.help}. Press to remove.`}
      aria-label={`Remove filter ${field.label} ${words}`}
      onClick={() => onRemove(field.id)}
      className="inline-flex h-6 max-w-64 items-center gap-1.5 rounded-md border border-line-2 bg-raise px-2 text-label hover:bg-hover"
    >
      <span className="text-muted">{field.label}</span> <span className="truncate font-medium">{words}</span>
      <X aria-hidden="true" className="size-3 flex-none" />
    </button>
  ));
}
