"use client";

import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { OnDemandPopover } from "#components/popup/on-demand-popover.tsx";
import { Button } from "#components/ui/button.tsx";
import type { DecisionFilterField } from "#server/decisions/decision-filter.ts";
import { useTRPC } from "#trpc/client.tsx";
import { FILTER_FIELDS } from "./filter-fields.ts";

const FIELD = "h-7 w-full rounded-md border border-ctl bg-bg px-2 text-label";

/** Chooses a field and its value; values come from what is stored, or are typed. */
export function AddFilter({
  onAdd,
}: {
  readonly onAdd: (field: DecisionFilterField, value: string) => void;
}) {
  const trpc = useTRPC();
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const [fieldId, setFieldId] = useState<DecisionFilterField>("chosen");
  const { data: facets } = useQuery(
    trpc.decisions.facets.queryOptions(undefined, { enabled: isOpen, staleTime: 30_000 }),
  );
  const field = FILTER_FIELDS.find((one) => one.id === fieldId);
  const choices = field?.choices && facets ? field.choices(facets) : null;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const value = String(new FormData(event.currentTarget).get("value") ?? "").trim();
    if (value === "") return;
    onAdd(fieldId, value);
    setIsOpen(false);
  }

  return (
    <OnDemandPopover
      trigger={
        <button
          type="button"
          data-filter=""
          className="h-6 rounded-md px-1.5 text-label text-accent hover:underline"
        >
          Add filter
        </button>
      }
      title="Add filter"
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      className="w-72 p-3"
    >
      <form onSubmit={submit} className="flex flex-col gap-2">
        <label htmlFor={`${id}-field`} className="text-label font-medium">
          Field
        </label>
        <select
          id={`${id}-field`}
          className={FIELD}
          value={fieldId}
          onChange={(event) => {
            const next = FILTER_FIELDS.find((one) => one.id === event.target.value);
            if (next) setFieldId(next.id);
          }}
        >
          {FILTER_FIELDS.map((one) => (
            <option key={one.id} value={one.id}>
              {one.label}
            </option>
          ))}
        </select>
        <label htmlFor={`${id}-value`} className="text-label font-medium">
          Value
        </label>
        {field?.choices ? (
          <select key={fieldId} id={`${id}-value`} name="value" className={FIELD} disabled={choices === null}>
            {choices === null ? <option value="">reading…</option> : null}
            {choices?.length === 0 ? <option value="">nothing stored yet</option> : null}
            {choices?.map((choice) => (
              <option key={choice.value} value={choice.value}>
                {choice.label}
              </option>
            ))}
          </select>
        ) : (
          <input
            key={fieldId}
            id={`${id}-value`}
            name="value"
            className={FIELD}
            {...(field?.isNumber ? { type: "number", step: "any" } : { type: "text", maxLength: 256 })}
          />
        )}
        <span className="text-micro text-muted">{field?.help}</span>
        <Button type="submit" kind="primary" size="small" className="self-end">
          Add
        </Button>
      </form>
    </OnDemandPopover>
  );
}
