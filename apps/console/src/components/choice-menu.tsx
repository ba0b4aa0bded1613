"use client";

import { OnDemandRadioMenu } from "#components/popup/on-demand-radio-menu.tsx";

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
    <OnDemandRadioMenu
      trigger={
        <button
          type="button"
          className="inline-flex h-6 items-center gap-1.5 rounded-md border border-line-2 bg-panel px-2 text-label whitespace-nowrap hover:bg-hover data-[popup-open]:bg-hover"
        >
          <span className="text-muted">{label}</span>
          <span>
            {chosen?.label ?? value}
            {suffix ? ` ${suffix}` : ""}
          </span>
        </button>
      }
      align="start"
      className="max-h-96 max-w-96 overflow-y-auto"
      value={value}
      choices={choices}
      onChange={(next) => {
        const choice = choices.find((one) => one.value === next);
        if (choice) onChange(choice.value);
      }}
    />
  );
}
