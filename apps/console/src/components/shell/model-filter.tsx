"use client";

import { Menu } from "@base-ui/react/menu";
import { useQuery } from "@tanstack/react-query";
import { useView } from "#search-params/use-view.ts";
import { useTRPC } from "#trpc/client.tsx";
import { CHIP, MENU_ITEM, POPUP } from "./chip.ts";

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
    <Menu.Root>
      <Menu.Trigger className={CHIP} title="Filter by model, kept across pages">
        <span className="text-muted max-wide:sr-only">Model</span>
        <span className="max-w-48 truncate">{model ?? `all ${models.length}`}</span>
      </Menu.Trigger>
      <Menu.Portal role="region" aria-label="Menu">
        <Menu.Positioner sideOffset={4} align="start">
          <Menu.Popup className={`${POPUP} max-h-96 max-w-80 overflow-y-auto`}>
            <Menu.RadioGroup
              value={model ?? ALL}
              onValueChange={(value: string) => setView({ model: value === ALL ? null : value })}
            >
              {[ALL, ...choices].map((choice) => (
                <Menu.RadioItem key={choice} value={choice} className={MENU_ITEM} closeOnClick>
                  <span className="w-3 flex-none">
                    <Menu.RadioItemIndicator>✓</Menu.RadioItemIndicator>
                  </span>
                  <span className="truncate">{choice === ALL ? "All models" : choice}</span>
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
