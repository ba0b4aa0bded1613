import { once } from "node:events";
import type { Server } from "node:http";
import { FleetState } from "@evenkeel/scheduler/fleet-state";
import type { Logger } from "pino";
import { systemClock } from "./clock.ts";
import type { Config } from "./config.ts";
import { Fleet } from "./fleet/fleet.ts";
import { watchFleetFile } from "./fleet/fleet-file-watch.ts";
import { Scraper } from "./fleet/scrape.ts";
import { Deadlines } from "./forward/deadlines.ts";
import { RETRY_BUDGET, RetryBudget } from "./forward/retry-budget.ts";
import { HoldQueue } from "./hold-queue.ts";
import { createAdminServer } from "./http/admin-server.ts";
import { KeptApiKeys } from "./http/api-key-watch.ts";
import { ApiKeys } from "./http/api-keys.ts";
import { BodyBudget } from "./http/body-budget.ts";
import { DataServer } from "./http/data-server.ts";
import { Metrics } from "./metrics.ts";
import { readFirstPolicy } from "./policy/first-policy.ts";
import { LastGoodPolicy } from "./policy/last-good-policy.ts";
import { PolicyHolder } from "./policy/policy-holder.ts";
import { readSessionHashKey } from "./record/session-key.ts";
import { Store } from "./store.ts";
import { Tracing } from "./tracing.ts";

const HOLD_CAPACITY = 4_096;
const FLEET_POLL_MS = 2_000;
const HEALTH_TICK_MS = 100;

/** A running router. */
export interface Router {
  readonly port: number;
  readonly adminPort: number;
  /** Unready, then no new connections, then running requests up to the limit, then everything is written. */
  drain(): Promise<void>;
}

/**
 * Starts a router. Needs a good fleet file and a good policy (POLICY_FILE, the built-in one, or the last good one
 * kept on disk); does not need the database to be there.
 * @throws FleetFileError, PolicyFileError, or what listening on a port throws
 */
export async function startRouter(config: Config, logger: Logger): Promise<Router> {
  const clock = systemClock();
  const rng = Math.random;
  const startedAtMs = clock();

  const firstPolicy = await readFirstPolicy(config.policyFile);
  const lastGood = new LastGoodPolicy(config.dataDir);
  const kept = config.databaseUrl === null ? null : await lastGood.read();
  const policy = new PolicyHolder(kept ?? firstPolicy.compiled);

  const holds = new HoldQueue(HOLD_CAPACITY, clock);
  const fleet = new Fleet(
    new FleetState(),
    rng,
    {
      stateChanged: (replica, from, to) => {
        const level = to === "ready" || from === "starting" ? "info" : "warn";
        logger[level]({ replica: replica.id, from, to }, "replica state changed");
        if (to === "ready") holds.freed(replica.model, Number.POSITIVE_INFINITY);
      },
      placeFreed: (model) => holds.freed(model, 1),
    },
    config.secret,
  );
  const apiKeys = new ApiKeys(config.databaseUrl === null);
  const keptApiKeys = new KeptApiKeys(config.dataDir);
  await letInByLastKeys(apiKeys, keptApiKeys, config);
  let store: Store | null = null;
  const fleetWatch = await watchFleetFile({
    path: config.fleetFile,
    pollMs: FLEET_POLL_MS,
    secret: config.secret,
    onFleet: (replicas) => {
      fleet.replace(replicas, clock());
      store?.fleetChanged(replicas);
      logger.info({ replicas: replicas.length }, "fleet file read");
    },
    onProblem: (error) =>
      logger.error({ code: error.code }, `fleet file ignored, the last good fleet stays: ${error.message}`),
  });
  if (config.databaseUrl === null) {
    logger.warn(
      "DATABASE_URL is not set: decisions are not kept, and the policy is POLICY_FILE or the built-in one",
    );
  } else {
    store = new Store({
      url: config.databaseUrl,
      dataDir: config.dataDir,
      routerId: config.routerId,
      fleet,
      policy,
      firstPolicy,
      lastGood,
      apiKeys,
      keptApiKeys,
      clock,
      startedAtMs,
      logger,
    });
    store.fleetChanged([...fleet.upstreams()].map((upstream) => upstream.replica));
  }

  const deadlines = new Deadlines(clock);
  const bodyBudget = new BodyBudget(config.bodyBudgetBytes);
  const scraper = new Scraper({
    fleet,
    clock,
    rng,
    intervalMs: config.scrapeIntervalMs,
    timeoutMs: config.scrapeTimeoutMs,
    onNoMetrics: (replica, hint) =>
      logger.warn(
        { replica: replica.id, hint },
        "the replica does not tell its metrics: its load is estimated",
      ),
  });
  const tracing =
    config.tracing === null ? null : new Tracing({ ...config.tracing, routerId: config.routerId });
  const retryBudget = new RetryBudget(RETRY_BUDGET, startedAtMs);
  const metrics: Metrics = new Metrics({
    fleet,
    clock,
    policyRevision: () => policy.current.revision,
    activeRequests: () => data.active,
    bodyBytes: () => bodyBudget.heldBytes,
    held: () => holds.size,
    records: () => store?.stats() ?? null,
    scrapeFailures: () => scraper.failures,
  });
  const data: DataServer = new DataServer(
    {
      clock,
      logger,
      models: { fleet },
      apiKeys,
      inference: {
        routerId: config.routerId,
        fleet,
        policy,
        clock,
        rng,
        deadlines,
        holds,
        apiKeys,
        retryBudget,
        bodyLimits: { maxBytes: config.maxBodyBytes, budget: bodyBudget },
        sessionHashKey: await readSessionHashKey(config.sessionHashKey, config.dataDir),
        record: (record, { arrivedAtMs, traceparent }) => {
          store?.append(record);
          metrics.observe(record);
          tracing?.record(record, arrivedAtMs, traceparent);
        },
      },
    },
    config,
  );
  const healthTick = setInterval(() => fleet.tick(clock()), HEALTH_TICK_MS);
  await scraper.firstRound();

  let isDraining = false;
  const admin = createAdminServer({
    registry: metrics.registry,
    notReady: () => {
      if (isDraining) return "draining";
      return fleet.countReady(clock()) === 0 ? "no replica is ready" : null;
    },
  });
  const port = await listen(data.http, config.port, config.host);
  const adminPort = await listen(admin, config.adminPort, config.host);

  return {
    port,
    adminPort,
    drain: async () => {
      isDraining = true;
      logger.info({ active: data.active }, "draining");
      holds.close();
      const unfinished = await data.drain(config.drainMs);
      if (unfinished > 0) logger.warn({ unfinished }, "requests were cut off by the drain limit");
      clearInterval(healthTick);
      fleetWatch.close();
      await scraper.close();
      fleet.close();
      await Promise.all([store?.close(), tracing?.close()]);
      deadlines.close();
      admin.close();
      admin.closeAllConnections();
      logger.info("drained");
    },
  };
}

/**
 * Before the database has been asked, the keys kept on disk count. A router that never knew any may serve its own
 * machine; on a network it waits for the database, lest it let strangers in.
 */
async function letInByLastKeys(apiKeys: ApiKeys, kept: KeptApiKeys, config: Config): Promise<void> {
  if (config.databaseUrl === null) return;
  const ring = await kept.read();
  if (ring !== null) apiKeys.replace(ring);
  else if (isLoopback(config.host)) apiKeys.replace({ isRequired: false, keys: [] });
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}

async function listen(server: Server, port: number, host: string): Promise<number> {
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}
