"use client";

import { failureDetails } from "#trpc/failure-details.ts";
import { Button } from "./button.tsx";
import { Notice } from "./notice.tsx";

/** Something could not be loaded: what, why, whether routing suffers, and the way to try again. */
export function LoadFailure({
  error,
  what,
  onRetry,
}: {
  readonly error: unknown;
  readonly what: string;
  readonly onRetry: () => void;
}) {
  const { message, requestId } = failureDetails(error);
  return (
    <Notice
      tone="crit"
      title={`The console could not load ${what}.`}
      actions={<Button onClick={onRetry}>Try again</Button>}
    >
      {message}
      {requestId === null ? null : <span className="mono ml-2">request {requestId}</span>}
    </Notice>
  );
}
