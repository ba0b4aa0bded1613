"use client";

import { Menu } from "@base-ui/react/menu";
import { useTheme } from "next-themes";
import { GHOST_CHIP, MENU_ITEM, POPUP } from "./chip.ts";

const THEMES = [
  { value: "dark", label: "Dark" },
  { value: "light", label: "Light" },
  { value: "system", label: "Like the system" },
] as const;

export function ThemeMenu() {
  const { theme, setTheme } = useTheme();
  return (
    <Menu.Root>
      <Menu.Trigger className={GHOST_CHIP} aria-label="Theme" title="Theme">
        <span aria-hidden="true">◐</span>
      </Menu.Trigger>
      <Menu.Portal role="region" aria-label="Menu">
        <Menu.Positioner sideOffset={4} align="end">
          <Menu.Popup className={POPUP}>
            <Menu.RadioGroup value={theme ?? "system"} onValueChange={setTheme}>
              {THEMES.map(({ value, label }) => (
                <Menu.RadioItem key={value} value={value} className={MENU_ITEM} closeOnClick>
                  <span className="w-3">
                    <Menu.RadioItemIndicator>✓</Menu.RadioItemIndicator>
                  </span>
                  {label}
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
