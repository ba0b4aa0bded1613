"use client";

import { useSyncExternalStore } from "react";

const KEY = "evenkeel:single-keys";
const CHANGED = "evenkeel:single-keys-changed";

/** Whether single-key shortcuts act; kept in this browser. */
export function useKeysSetting(): readonly [boolean, (areOn: boolean) => void] {
  const areOn = useSyncExternalStore(
    (listener) => {
      window.addEventListener(CHANGED, listener);
      return () => window.removeEventListener(CHANGED, listener);
    },
    () => localStorage.getItem(KEY) !== "off",
    () => true,
  );
  return [
    areOn,
    (next) => {
      localStorage.setItem(KEY, next ? "on" : "off");
      window.dispatchEvent(new Event(CHANGED));
    },
  ];
}
