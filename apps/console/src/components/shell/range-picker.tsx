"use client";

import { type FormEvent, type RefObject, useState } from "react";
import { OnDemandPopover } from "#components/popup/on-demand-popover.tsx";
import { Button } from "#components/ui/button.tsx";
import { Segmented } from "#components/ui/segmented.tsx";
import { TextField } from "#components/ui/text-field.tsx";
import { zoneLabel } from "#format/time.ts";
import { useNow } from "#live/use-now.ts";
import { rangeAt } from "#search-params/time-range.ts";
import { useView } from "#search-params/use-view.ts";
import { CHIP } from "./chip.ts";
import { rangeWords } from "./range-words.ts";
import { absoluteRange, readTyped, writeTyped } from "./typed-time.ts";

const PRESETS = ["15m", "1h", "6h", "24h", "7d"] as const;

/** Time range and zone of every page. The range is echoed with its zone, so that nobody guesses. */
export function RangePicker({ trigger }: { readonly trigger: RefObject<HTMLButtonElement | null> }) {
  const { from, to, tz, range, isSinceFirstData, setView } = useView();
  const now = useNow();
  const [isOpen, setIsOpen] = useState(false);
  const isPressed = (preset: string) => !isSinceFirstData && from === `now-${preset}` && to === "now";
  const words = range === null || now === 0 ? null : rangeWords(range, now, tz, isSinceFirstData);

  return (
    <OnDemandPopover
      trigger={
        <button
          ref={trigger}
          type="button"
          className={CHIP}
          title={
            isSinceFirstData
              ? "The last hour, from where data begin (t changes it)"
              : "Time range and zone (t)"
          }
        >
          {range === null ? (
            <span className="text-crit">range not understood</span>
          ) : (
            <>
              <span className="mono max-wide:max-w-40 max-wide:truncate">{words?.span ?? "…"}</span>
              <span className="text-muted">
                {zoneLabel(tz)} · {words?.length}
              </span>
            </>
          )}
        </button>
      }
      title="Time range and zone"
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      className="w-80 p-3"
    >
      <div className="flex flex-wrap gap-1">
        {PRESETS.map((preset) => (
          <Button
            key={preset}
            size="small"
            kind={isPressed(preset) ? "normal" : "quiet"}
            aria-pressed={isPressed(preset)}
            onClick={() => {
              setView({ from: `now-${preset}`, to: "now" });
              setIsOpen(false);
            }}
          >
            {preset.replace(/(\d+)/, "$1 ")}
          </Button>
        ))}
      </div>
      {range === null || now === 0 ? null : (
        <TypedRange
          key={`${from}|${to}|${tz}|${isOpen}`}
          tz={tz}
          {...rangeAt(range, now)}
          onApply={(fromMs, toMs) => {
            setView(absoluteRange(fromMs, toMs));
            setIsOpen(false);
          }}
        />
      )}
      <div className="mt-3 flex items-center justify-between gap-2 border-t pt-3">
        <Segmented
          label="Time zone"
          size="small"
          value={tz === "browser" ? "browser" : "utc"}
          options={[
            { value: "utc", label: "UTC" },
            { value: "browser", label: "Browser" },
          ]}
          onChange={(zone) => setView({ tz: zone === "utc" ? null : zone })}
        />
        <span className="text-muted">{zoneLabel(tz)}</span>
      </div>
    </OnDemandPopover>
  );
}

function TypedRange({
  tz,
  fromMs,
  toMs,
  onApply,
}: {
  readonly tz: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly onApply: (fromMs: number, toMs: number) => void;
}) {
  // Frozen when opened: a field must not change under the person who types in it.
  const [start] = useState(() => writeTyped(fromMs, tz));
  const [end] = useState(() => writeTyped(toMs, tz));
  const [fault, setFault] = useState<string | null>(null);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const typedFrom = readTyped(String(form.get("from")), tz);
    const typedTo = readTyped(String(form.get("to")), tz);
    if (typedFrom === null || typedTo === null) return setFault("Write times as 2026-11-29 03:12.");
    if (typedFrom >= typedTo) return setFault("The start must lie before the end.");
    onApply(typedFrom, typedTo);
  }

  return (
    <form onSubmit={submit} className="mt-3 grid grid-cols-2 gap-2">
      <TextField
        label="From"
        name="from"
        defaultValue={start}
        className="[&_input]:font-mono [&_input]:text-label"
      />
      <TextField
        label="To"
        name="to"
        defaultValue={end}
        className="[&_input]:font-mono [&_input]:text-label"
      />
      <div role="alert" className="self-center text-micro text-crit">
        {fault}
      </div>
      <Button type="submit" size="small" className="justify-self-end" title="Fix the range to these times">
        Use these times
      </Button>
    </form>
  );
}
