"use client";

import { Menu } from "@base-ui/react/menu";
import { MENU_ITEM, POPUP } from "#components/shell/chip.ts";

interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

/** A chip that names what it sets and its value, and opens the choices: `Sort divergence ↓`. */
export function ChoiceMenu<Value extends string>({
  label,
  value,
  choices,
  onChange,
  suffix,
}: {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly Choice<Value>[];
  readonly onChange: (value: Value) => void;
  readonly suffix?: string;
}) {
  const chosen = choices.find((choice) => choice.value === value);
  return (
    <Menu.Root>
      <Menu.Trigger className="inline-flex h-6 items-center gap-1.5 rounded-md border border-line-2 bg-panel px-2 text-label whitespace-nowrap hover:bg-hover data-[popup-open]:bg-hover">
        <span className="text-muted">{label}</span>
        <span>
          {chosen?.label ?? value}
          {suffix ? ` ${suffix}` : ""}
        </span>
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={4} align="start" className="z-50">
          <Menu.Popup className={`${POPUP} max-h-96 max-w-96 overflow-y-auto`}>
            <Menu.RadioGroup value={value} onValueChange={(next: Value) => onChange(next)}>
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
