"use client";

import { type ComponentProps, lazy, type ReactElement } from "react";
import { OnDemand } from "./on-demand.tsx";
import type { PopoverProps } from "./popover.tsx";

const load = () => import("./popover.tsx");
const Popover = lazy(load);

/** A panel below its button, loaded when it is wanted. */
export function OnDemandPopover(
  props: PopoverProps & { readonly trigger: ReactElement<ComponentProps<"button">> },
) {
  return (
    <OnDemand trigger={props.trigger} kind="dialog" load={load} onOpen={() => props.onOpenChange(true)}>
      <Popover {...props} />
    </OnDemand>
  );
}
