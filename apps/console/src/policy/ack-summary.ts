import type { PolicyState, RouterState } from "#server/live/policy-topic.ts";

/** A router that said nothing for this long is silent: it may be gone. */
export const ROUTER_SILENT_MS = 15_000;

/** How far a revision has come. */
export interface AckSummary {
  /** Routers that speak. */
  readonly alive: readonly RouterState[];
  readonly applied: readonly RouterState[];
  readonly refused: readonly RouterState[];
  /** Alive, and no word yet. */
  readonly waiting: readonly RouterState[];
  /** Seen lately, but not now. */
  readonly silent: readonly RouterState[];
  /** Milliseconds from publish until the last of those that had it first heard of it; null while none applied. */
  readonly slowestMs: number | null;
}

export function ackSummary(state: PolicyState, nowMs: number): AckSummary {
  const alive = state.routers.filter((router) => nowMs - router.lastSeenAtMs <= ROUTER_SILENT_MS);
  const applied = alive.filter((router) => router.ack?.status === "applied");
  const publishedAtMs = state.live?.publishedAtMs ?? 0;
  const delays = applied.map((router) => Math.max(0, (router.ack?.ackedAtMs ?? 0) - publishedAtMs));
  return {
    alive,
    applied,
    refused: alive.filter((router) => router.ack?.status === "refused"),
    waiting: alive.filter((router) => router.ack === null),
    silent: state.routers.filter((router) => nowMs - router.lastSeenAtMs > ROUTER_SILENT_MS),
    slowestMs: delays.length === 0 ? null : Math.max(...delays),
  };
}

/** `applied by 2 of 3 routers`, `refused by rt-b1`, as one phrase. */
export function ackWords(summary: AckSummary): string {
  const { alive, applied, refused } = summary;
  if (alive.length === 0) return "no router is connected";
  const routers = alive.length === 1 ? "router" : "routers";
  const done = `applied by ${applied.length} of ${alive.length} ${routers}`;
  if (refused.length === 0) return done;
  const names = refused
    .slice(0, 2)
    .map((router) => router.id)
    .join(" and ");
  return `${done}, refused by ${refused.length > 2 ? `${refused.length} routers` : names}`;
}
