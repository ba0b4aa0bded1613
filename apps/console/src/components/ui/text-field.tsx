import { type ComponentProps, useId } from "react";
import { classNames } from "./class-names.ts";

/** Labelled one-line input with its fault underneath. */
export function TextField({
  label,
  hint,
  fault,
  className,
  ...props
}: ComponentProps<"input"> & {
  readonly label: string;
  readonly hint?: string;
  readonly fault?: string | null;
}) {
  const id = useId();
  const says = fault ?? hint;
  return (
    <div className={classNames("flex flex-col gap-1", className)}>
      <label htmlFor={id} className="text-label font-medium">
        {label}
      </label>
      <input
        id={id}
        {...props}
        aria-invalid={fault ? true : undefined}
        aria-describedby={says ? `${id}-says` : undefined}
        className="h-8 rounded-md border border-ctl bg-bg px-2.5 aria-invalid:border-crit"
      />
      {says ? (
        <span id={`${id}-says`} className={classNames("text-label", fault ? "text-crit" : "text-muted")}>
          {says}
        </span>
      ) : null}
    </div>
  );
}
