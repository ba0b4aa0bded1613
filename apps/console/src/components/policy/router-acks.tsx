"use client";

import { Empty } from "#components/ui/empty.tsx";
import { Panel, PanelHead } from "#components/ui/panel.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { SkeletonRows } from "#components/ui/skeleton.tsx";
import { Status } from "#components/ui/status.tsx";
import { age, dayClock, type Zone } from "#format/time.ts";
import { useLiveTopic } from "#live/live-provider.tsx";
import { useNow } from "#live/use-now.ts";
import { ackSummary, ackWords, ROUTER_SILENT_MS } from "#policy/ack-summary.ts";
import { useView } from "#search-params/use-view.ts";
import type { PolicyState, RouterState } from "#server/live/policy-topic.ts";

/** Later than this after publishing, a router did not wait for the revision: it joined. */
const JOINED_AFTER_MS = 60_000;

/** Each router's word on the revision in force. */
export function RouterAcks({ className }: { readonly className?: string }) {
  const policy = useLiveTopic("policy", true);
  const now = useNow();
  const { tz } = useView();
  const summary = policy === null || now === 0 ? null : ackSummary(policy, now);
  const tone =
    summary === null || summary.alive.length === 0
      ? "unknown"
      : summary.refused.length > 0
        ? "crit"
        : summary.waiting.length > 0
          ? "warn"
          : "ok";
  return (
    <Panel className={className ?? ""}>
      <PanelHead title="Routers">
        {summary === null || policy?.live === null ? null : (
          <Status tone={tone} className="min-w-0 text-micro font-medium">
            <span className="truncate">
              {summary.alive.length > 0 ? `rev ${policy?.live.revision} ` : ""}
              {ackWords(summary)}
            </span>
          </Status>
        )}
      </PanelHead>
      {policy !== null && policy.routers.length === 0 ? (
        <Empty title="No router has connected in the last hour.">
          Start one with the same DATABASE_URL: <code className="mono">npm run router</code>. It applies the
          live revision by itself.
        </Empty>
      ) : (
        <ScrollRegion label="Routers">
          <table className="table-dense">
            <thead>
              <tr>
                <th>Router</th>
                <th>Policy</th>
                <th className="text-right!">Applied in</th>
                <th className="text-right!">Seen</th>
              </tr>
            </thead>
            <tbody>
              {policy === null || now === 0 ? (
                <SkeletonRows rows={3} columns={4} />
              ) : (
                policy.routers.map((router) => (
                  <RouterRow key={router.id} router={router} live={policy.live} nowMs={now} zone={tz} />
                ))
              )}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </Panel>
  );
}

function RouterRow({
  router,
  live,
  nowMs,
  zone,
}: {
  readonly router: RouterState;
  readonly live: PolicyState["live"];
  readonly nowMs: number;
  readonly zone: Zone;
}) {
  const isSilent = nowMs - router.lastSeenAtMs > ROUTER_SILENT_MS;
  const delayMs =
    router.ack === null || live === null ? null : Math.max(0, router.ack.ackedAtMs - live.publishedAtMs);
  return (
    <>
      <tr className={isSilent ? "text-muted" : undefined}>
        <td
          className="mono max-w-40 truncate"
          title={router.host === null ? router.id : `${router.id} on ${router.host}`}
        >
          {router.id}
        </td>
        <td>
          <RouterStatus router={router} live={live} isSilent={isSilent} />
        </td>
        <td className="text-right">
          {delayMs === null || router.ack?.status !== "applied" ? (
            <span className="text-muted">–</span>
          ) : delayMs > JOINED_AFTER_MS ? (
            <span className="text-muted">joined {dayClock(router.ack.ackedAtMs, zone)}</span>
          ) : (
            `${(delayMs / 1000).toFixed(1)} s`
          )}
        </td>
        <td className="text-right text-muted">{age(nowMs - router.lastSeenAtMs)}</td>
      </tr>
      {router.ack?.problem ? (
        <tr>
          <td colSpan={4} className="h-auto! py-1 whitespace-normal! text-crit [overflow-wrap:anywhere]">
            {router.ack.problem}
          </td>
        </tr>
      ) : null}
    </>
  );
}

function RouterStatus({
  router,
  live,
  isSilent,
}: {
  readonly router: RouterState;
  readonly live: PolicyState["live"];
  readonly isSilent: boolean;
}) {
  const has = router.policyRevision === null ? "no policy" : `rev ${router.policyRevision}`;
  if (isSilent) return <Status tone="unknown">silent, had {has}</Status>;
  if (router.ack?.status === "refused") {
    return (
      <Status tone="crit">
        refused, keeps {router.policyRevision === live?.revision ? "the last good one" : has}
      </Status>
    );
  }
  if (router.ack?.status === "applied") return <Status tone="ok">rev {live?.revision}</Status>;
  return <Status tone="warn">{has}, waiting</Status>;
}
