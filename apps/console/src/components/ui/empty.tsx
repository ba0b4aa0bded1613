import type { ReactNode } from "react";

/** Nothing to show, why, and the way out. */
export function Empty({
  title,
  children,
  action,
}: {
  readonly title: ReactNode;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-2 p-8 text-center">
      <div className="text-lead font-semibold">{title}</div>
      {children === undefined ? null : <div className="max-w-[52ch] text-muted">{children}</div>}
      {action}
    </div>
  );
}
