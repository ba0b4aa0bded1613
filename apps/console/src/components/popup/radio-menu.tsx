"use client";

import { Menu } from "@base-ui/react/menu";
import type { ReactElement } from "react";
import { MENU_ITEM, POPUP } from "#components/shell/chip.ts";
import { classNames } from "#components/ui/class-names.ts";

export interface RadioMenuProps {
  /** The button it opens from. */
  readonly trigger: ReactElement;
  readonly value: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
  readonly align: "start" | "end";
  readonly className?: string;
}

/** A menu of which one is chosen; open when it first appears. */
export default function RadioMenu({ trigger, value, choices, onChange, align, className }: RadioMenuProps) {
  return (
    <Menu.Root defaultOpen>
      <Menu.Trigger render={trigger} />
      <Menu.Portal role="region" aria-label="Menu">
        <Menu.Positioner sideOffset={4} align={align} className="z-50">
          <Menu.Popup className={classNames(POPUP, className)}>
            <Menu.RadioGroup value={value} onValueChange={onChange}>
              {choices.map((choice) => (
                <Menu.RadioItem key={choice.value} value={choice.value} className={MENU_ITEM} closeOnClick>
                  <span className="w-3 flex-none">
                    <Menu.RadioItemIndicator>✓</Menu.RadioItemIndicator>
                  </span>
                  <span className="truncate">{choice.label}</span>
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
