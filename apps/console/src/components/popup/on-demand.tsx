"use client";

import {
  type ComponentProps,
  cloneElement,
  type ReactElement,
  type ReactNode,
  Suspense,
  useState,
} from "react";

/**
 * A button whose popup is loaded when a pointer or the keyboard comes near it: most visits open none. `children` is the
 * popup with the same button as its trigger, and takes its place once wanted.
 */
export function OnDemand({
  trigger,
  kind,
  load,
  onOpen,
  children,
}: {
  readonly trigger: ReactElement<ComponentProps<"button">>;
  readonly kind: "menu" | "dialog";
  /** Loads the popup's code; asked again, it answers at once. */
  readonly load: () => Promise<unknown>;
  readonly onOpen?: () => void;
  readonly children: ReactNode;
}) {
  const [isWanted, setIsWanted] = useState(false);
  // What cannot be loaded now is asked for again by the next click.
  const prepare = () => void load().catch(() => null);
  const open = () => {
    load().then(
      () => {
        setIsWanted(true);
        onOpen?.();
      },
      () => null,
    );
  };
  const closed = cloneElement(trigger, {
    "aria-haspopup": kind,
    "aria-expanded": false,
    onPointerEnter: prepare,
    onFocus: prepare,
    onClick: open,
  });
  return isWanted ? <Suspense fallback={closed}>{children}</Suspense> : closed;
}
