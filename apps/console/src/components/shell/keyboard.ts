import { useEffect, useRef } from "react";

/** What a key sequence does, with the words of the help sheet. */
export interface Shortcut {
  /** `g f`, `/`, `space`, `?`. */
  readonly keys: string;
  readonly says: string;
  readonly run: () => void;
}

const SEQUENCE_MS = 1_000;

/** Whether a key press belongs to a field, an open menu or a dialog rather than to the page. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented)
    return true;
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  if (
    target.closest(
      "input, textarea, select, [contenteditable='true'], [role='menu'], [role='dialog'], [role='listbox']",
    )
  ) {
    return true;
  }
  // Space presses the focused control.
  return event.key === " " && target.closest("button, a, summary, [role='button'], [role='grid']") !== null;
}

/** Binds single keys and two-key sequences for as long as the component lives. `isOn` false: none of them act. */
export function useShortcuts(shortcuts: readonly Shortcut[], isOn: boolean): void {
  const current = useRef(shortcuts);
  useEffect(() => {
    current.current = shortcuts;
  });
  useEffect(() => {
    if (!isOn) return;
    let first: { readonly key: string; readonly atMs: number } | null = null;
    const onKey = (event: KeyboardEvent) => {
      if (isTaken(event)) return;
      const key = event.key === " " ? "space" : event.key;
      const prefix = first !== null && event.timeStamp - first.atMs < SEQUENCE_MS ? first.key : null;
      first = null;
      const wanted = prefix === null ? key : `${prefix} ${key}`;
      const found = current.current.find((shortcut) => shortcut.keys === wanted);
      if (found !== undefined) {
        event.preventDefault();
        found.run();
        return;
      }
      if (current.current.some((shortcut) => shortcut.keys.startsWith(`${key} `))) {
        first = { key, atMs: event.timeStamp };
      }
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [isOn]);
}
