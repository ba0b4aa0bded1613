"use client";

import { useEffect, useState } from "react";
import { Skeleton } from "#components/ui/skeleton.tsx";

const ROWS = Array.from({ length: 24 }, (_, at) => `row-${at}`);

/** The matrix's shape while the first answer is on its way; appears after a moment, so that quick answers do not flash. */
export function MatrixSkeleton() {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), 300);
    return () => clearTimeout(timer);
  }, []);
  if (!isSlow) return <div className="flex-1" />;
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-px overflow-hidden pt-10" role="status">
      <span className="sr-only">Reading the fleet</span>
      {ROWS.map((row) => (
        <div key={row} className="grid grid-cols-[84px_1fr_256px] gap-2">
          <Skeleton className="h-3 w-14" />
          <Skeleton className="h-3" />
          <Skeleton className="h-3 w-40" />
        </div>
      ))}
    </div>
  );
}
