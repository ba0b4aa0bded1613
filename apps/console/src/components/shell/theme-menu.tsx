"use client";

import { useTheme } from "next-themes";
import { OnDemandRadioMenu } from "#components/popup/on-demand-radio-menu.tsx";
import { GHOST_CHIP } from "./chip.ts";

const THEMES = [
  { value: "dark", label: "Dark" },
  { value: "light", label: "Light" },
  { value: "system", label: "Like the system" },
] as const;

export function ThemeMenu() {
  const { theme, setTheme } = useTheme();
  return (
    <OnDemandRadioMenu
      trigger={
        <button type="button" className={GHOST_CHIP} aria-label="Theme" title="Theme">
          <span aria-hidden="true">◐</span>
        </button>
      }
      align="end"
      value={theme ?? "system"}
      choices={THEMES}
      onChange={setTheme}
    />
  );
}
