"use client";

import Link from "next/link";
import { useSearchParams } from "next/navigation";
import { Status } from "#components/ui/status.tsx";
import { useLiveTopic } from "#live/live-provider.tsx";
import { useNow } from "#live/use-now.ts";
import { ackSummary } from "#policy/ack-summary.ts";
import { CHIP } from "./chip.ts";
import { pageHref } from "./pages.ts";

/** The revision in force, and whether every router has it. */
export function RevisionChip() {
  const policy = useLiveTopic("policy", true);
  const params = useSearchParams();
  const now = useNow();
  if (policy === null || now === 0) return null;
  const { live } = policy;
  const { alive, applied, refused, waiting } = ackSummary(policy, now);
  return (
    <Link href={pageHref("/policies", params)} className={CHIP} title="Policy in force">
      {live === null ? (
        <span className="text-muted">no policy</span>
      ) : (
        <>
          <span className="font-medium">rev {live.revision}</span>
          {refused.length > 0 ? (
            <Status tone="crit">refused by {refused.length}</Status>
          ) : waiting.length > 0 ? (
            <Status tone="warn">
              {applied.length} of {alive.length}
            </Status>
          ) : (
            <span className="text-muted">live</span>
          )}
        </>
      )}
    </Link>
  );
}
