"use client";

import { useEffect, useState } from "react";
import { useLiveState } from "./live-provider.tsx";

/** The server's time in whole steps: for what need not be drawn anew every second. 0 while rendering on the server. */
export function useSlowNow(stepMs: number): number {
  const { clockOffsetMs } = useLiveState();
  const [step, setStep] = useState(0);
  useEffect(() => {
    const read = () => setStep(Math.floor((Date.now() + clockOffsetMs) / stepMs));
    read();
    const timer = setInterval(read, Math.min(stepMs, 1000));
    return () => clearInterval(timer);
  }, [stepMs, clockOffsetMs]);
  return step * stepMs;
}
