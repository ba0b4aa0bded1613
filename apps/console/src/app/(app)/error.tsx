"use client";

import { Button } from "#components/ui/button.tsx";
import { Notice } from "#components/ui/notice.tsx";

/** A page that broke, inside the frame that still works. */
export default function PageError({
  error,
  reset,
}: {
  readonly error: Error & { readonly digest?: string };
  readonly reset: () => void;
}) {
  return (
    <div className="p-4">
      <Notice
        isAnswer
        tone="crit"
        title="This page failed. Routing is not affected."
        actions={<Button onClick={reset}>Show it again</Button>}
      >
        {error.digest === undefined
          ? error.message
          : `The console's log has the details under ${error.digest}.`}
      </Notice>
    </div>
  );
}
