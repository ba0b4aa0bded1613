import type { ReactNode } from "react";

export function Kbd({ children }: { readonly children: ReactNode }) {
  return (
    <kbd className="rounded-sm border border-line-2 px-1 font-mono text-[10px] leading-[14px] whitespace-nowrap text-muted">
      {children}
    </kbd>
  );
}
