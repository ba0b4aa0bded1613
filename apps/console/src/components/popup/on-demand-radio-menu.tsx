"use client";

import { type ComponentProps, lazy, type ReactElement } from "react";
import { OnDemand } from "./on-demand.tsx";
import type { RadioMenuProps } from "./radio-menu.tsx";

const load = () => import("./radio-menu.tsx");
const RadioMenu = lazy(load);

/** A menu of which one is chosen, loaded when it is wanted. */
export function OnDemandRadioMenu(
  props: RadioMenuProps & { readonly trigger: ReactElement<ComponentProps<"button">> },
) {
  return (
    <OnDemand trigger={props.trigger} kind="menu" load={load}>
      <RadioMenu {...props} />
    </OnDemand>
  );
}
