"use client";

import Link from "next/link";
import { useSearchParams } from "next/navigation";
import { Status } from "#components/ui/status.tsx";
import { useLiveTopic } from "#live/live-provider.tsx";
import { CHIP } from "./chip.ts";
import { pageHref } from "./pages.ts";

/** The revision in force, and whether every router has it. */
export function RevisionChip() {
  const policy = useLiveTopic("policy", true);
  const params = useSearchParams();
  if (policy === null) return null;
  const { live, routers } = policy;
  const applied = routers.filter((router) => router.ack?.status === "applied").length;
  const refused = routers.filter((router) => router.ack?.status === "refused").length;
  return (
    <Link href={pageHref("/policies", params)} className={CHIP} title="Policy in force">
      {live === null ? (
        <span className="text-muted">no policy</span>
      ) : (
        <>
          <span className="font-medium">rev {live.revision}</span>
          {refused > 0 ? (
            <Status tone="crit">refused by {refused}</Status>
          ) : routers.length > 0 && applied < routers.length ? (
            <Status tone="warn">
              {applied} of {routers.length}
            </Status>
          ) : (
            <span className="text-muted">live</span>
          )}
        </>
      )}
    </Link>
  );
}
