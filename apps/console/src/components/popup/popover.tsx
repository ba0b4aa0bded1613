"use client";

import { Popover as Base } from "@base-ui/react/popover";
import type { ReactElement, ReactNode } from "react";
import { POPUP } from "#components/shell/chip.ts";
import { classNames } from "#components/ui/class-names.ts";

export interface PopoverProps {
  /** The button it opens from. */
  readonly trigger: ReactElement;
  /** Its name for those who do not see it. */
  readonly title: string;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A panel below its button, for more than a choice. */
export default function Popover({ trigger, title, isOpen, onOpenChange, className, children }: PopoverProps) {
  return (
    <Base.Root open={isOpen} onOpenChange={onOpenChange}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} align="start" className="z-50">
          <Base.Popup className={classNames(POPUP, className)}>
            <Base.Title className="sr-only">{title}</Base.Title>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
