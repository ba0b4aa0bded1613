"use client";

import { useQuery } from "@tanstack/react-query";
import { OnDemandRadioMenu } from "#components/popup/on-demand-radio-menu.tsx";
import { useView } from "#search-params/use-view.ts";
import { useTRPC } from "#trpc/client.tsx";
import { CHIP } from "./chip.ts";

const ALL = "";

/** Filter by model, kept across pages. Absent while the fleet serves none or one. */
export function ModelFilter() {
  const trpc = useTRPC();
  const { data: models = [] } = useQuery(
    trpc.shell.models.queryOptions(undefined, { refetchInterval: 60_000 }),
  );
  const { model, setView } = useView();
  if (models.length < 2 && model === null) return null;
  const choices = model === null || models.includes(model) ? models : [model, ...models];
  return (
    <OnDemandRadioMenu
      trigger={
        <button type="button" className={CHIP} title="Filter by model, kept across pages">
          <span className="text-muted max-wide:sr-only">Model</span>
          <span className="max-w-48 truncate">{model ?? `all ${models.length}`}</span>
        </button>
      }
      align="start"
      className="max-h-96 max-w-80 overflow-y-auto"
      value={model ?? ALL}
      choices={[ALL, ...choices].map((choice) => ({
        value: choice,
        label: choice === ALL ? "All models" : choice,
      }))}
      onChange={(value) => void setView({ model: value === ALL ? null : value })}
    />
  );
}
