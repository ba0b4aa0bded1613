import type { Attempt as AttemptRecord, DecisionOutcome } from "@evenkeel/db/decision-record";
import { ENGINES } from "@evenkeel/protocol/engines/catalog";
import { REPLICA_HEADER, REQUEST_ID_HEADER } from "@evenkeel/protocol/headers/header-names";
import { requestHeadersFor } from "@evenkeel/protocol/headers/request-headers";
import { responseHeadersFor } from "@evenkeel/protocol/headers/response-headers";
import type { ErrorCode } from "@evenkeel/protocol/openai/error-body";
import type { ModelPolicy } from "@evenkeel/scheduler/compile-policy";
import type { RoutedDecision } from "@evenkeel/scheduler/decision";
import type { InferenceRequest } from "@evenkeel/scheduler/request";
import type { Rng } from "@evenkeel/scheduler/rng";
import type { Clock } from "../clock.ts";
import type { Fleet } from "../fleet/fleet.ts";
import type { Upstream } from "../fleet/upstream.ts";
import type { ApiKeys } from "../http/api-keys.ts";
import type { ClientReply } from "../http/client-reply.ts";
import { RouterError } from "../http/router-error.ts";
import { Attempt } from "./attempt.ts";
import type { AttemptEnd } from "./attempt-end.ts";
import { FAILURE_RULES } from "./attempt-failure.ts";
import type { Deadlines } from "./deadlines.ts";
import type { ErrorAnswer } from "./error-answer.ts";
import { type ArrivedRequest, outgoingRequest } from "./outgoing-request.ts";
import type { ReplyObservation } from "./reply-observer.ts";
import type { RetryBudget } from "./retry-budget.ts";
import { flatHeaders } from "./upstream-headers.ts";
import { withheldHeaders } from "./withheld-headers.ts";

export interface ForwardDeps {
  readonly fleet: Fleet;
  readonly deadlines: Deadlines;
  readonly retryBudget: RetryBudget;
  readonly clock: Clock;
  readonly rng: Rng;
  readonly apiKeys: ApiKeys;
}

/** A decided request and what it is answered through. */
export interface ForwardJob {
  readonly reply: ClientReply;
  readonly arrived: ArrivedRequest;
  readonly rawHeaders: readonly string[];
  readonly requestId: string;
  readonly request: InferenceRequest;
  readonly decision: RoutedDecision;
  readonly policy: ModelPolicy;
}

export interface ForwardResult {
  readonly attempts: readonly AttemptRecord[];
  readonly outcome: DecisionOutcome;
  /** Stable code of the error the client got from the router, null when it got none. */
  readonly errorCode: ErrorCode | null;
  readonly observation: ReplyObservation | null;
}

interface FinishedAttempt {
  readonly upstream: Upstream;
  readonly end: AttemptEnd;
}

/**
 * Sends a request to the decision's candidates in rank order until one answers. Only an attempt that failed before
 * the client got a byte is followed by another, within the policy's attempts and the router's retry budget.
 */
export async function forward(deps: ForwardDeps, job: ForwardJob): Promise<ForwardResult> {
  const finished: FinishedAttempt[] = [];
  const records: AttemptRecord[] = [];
  deps.retryBudget.earn(deps.clock());
  for (const upstream of attemptOrder(deps.fleet, job.decision)) {
    if (finished.length > 0 && !mayTryAgain(deps, job, finished, upstream, deps.clock())) continue;
    if (finished.length > 1) await backOff(finished.length, deps.rng);
    if (job.reply.isGone && finished.length > 0) break;
    const nowMs = deps.clock();
    const end = await attemptOnce(deps, job, upstream, finished.length);
    finished.push({ upstream, end });
    records.push({
      replica: upstream.replica.id,
      outcome: end.outcome,
      status: end.status,
      durationMs: end.endedAtMs - nowMs,
    });
    if (!mayRetry(end)) break;
  }
  settleBlame(deps.fleet, finished, deps.clock());
  return { attempts: records, ...conclude(job, finished) };
}

/** The candidates still in the fleet; a lone one twice, for a connection that closed under its request. */
function attemptOrder(fleet: Fleet, decision: RoutedDecision): Upstream[] {
  const order: Upstream[] = [];
  for (const candidate of decision.candidates) {
    const upstream = fleet.upstream(candidate.replica);
    if (upstream !== undefined) order.push(upstream);
  }
  const [only] = order;
  return order.length === 1 && only !== undefined ? [only, only] : order;
}

/**
 * The first other replica is tried at once; before a third attempt something is wrong with more than one replica,
 * and a short pause, longer each time and never the same for two requests, keeps the crowd apart.
 */
function backOff(attempts: number, rng: Rng): Promise<void> {
  const pauseMs = Math.min(500, 25 * 2 ** (attempts - 2)) * (0.5 + rng());
  return new Promise((resolve) => setTimeout(resolve, pauseMs));
}

function mayRetry(end: AttemptEnd): boolean {
  return FAILURE_RULES[end.outcome].mayRetry || end.modelMissing !== null;
}

function mayTryAgain(
  deps: ForwardDeps,
  job: ForwardJob,
  finished: readonly FinishedAttempt[],
  next: Upstream,
  nowMs: number,
): boolean {
  const last = finished.at(-1);
  if (last === undefined) return false;
  if (finished.length >= job.policy.retries.maxAttempts || job.reply.isGone) return false;
  if (last.upstream === next && last.end.outcome !== "reset_before_first_byte") return false;
  if (next.health.isPaused(nowMs)) return false;
  if (next.health.state(nowMs) !== "ready" && !job.decision.isPanic && last.upstream !== next) return false;
  if (nowMs >= job.request.arrivedAtMs + job.policy.timeouts.totalMs) return false;
  return deps.retryBudget.take(nowMs);
}

async function attemptOnce(
  deps: ForwardDeps,
  job: ForwardJob,
  upstream: Upstream,
  index: number,
): Promise<AttemptEnd> {
  const { fleet, clock } = deps;
  const { timeouts } = job.policy;
  const streamId = index === 0 ? job.request.id : `${job.request.id}.${index + 1}`;
  const replicaId = upstream.replica.id;
  fleet.dispatched(upstream, { streamId, request: job.request, decision: job.decision }, clock());
  const attempt = new Attempt({
    kind: job.arrived.kind,
    replicaId,
    dialect: ENGINES[upstream.replica.engine],
    reply: job.reply,
    deadlines: deps.deadlines,
    clock,
    limits: {
      connectMs: timeouts.connectMs,
      firstByteMs: timeouts.firstByteMs,
      idleMs: timeouts.idleMs,
      totalAtMs: job.request.arrivedAtMs + timeouts.totalMs,
    },
    listener: {
      answering: (nowMs) => fleet.observe(upstream, "answering", nowMs),
      firstToken: (nowMs) => fleet.state.firstToken(streamId, nowMs),
      tokens: (count, nowMs) => fleet.state.tokens(streamId, count, nowMs),
    },
  });
  try {
    const outgoing = outgoingRequest(job.arrived, job.decision, ENGINES[upstream.replica.engine]);
    upstream.pool.dispatch(
      {
        path: upstream.basePath + outgoing.path,
        method: "POST",
        headers: requestHeadersFor(job.rawHeaders, {
          set: [REQUEST_ID_HEADER, job.requestId, ...upstream.ownHeaders],
          withhold: withheldHeaders(deps.apiKeys),
        }),
        body: outgoing.body,
      },
      attempt,
    );
  } catch (error) {
    attempt.refuse(error instanceof Error ? error : new Error(String(error)));
  }
  const end = await attempt.ended;
  fleet.ended(upstream, streamId, end, job.request.arrivedAtMs);
  return end;
}

/**
 * Charges the replicas. Two replicas that answer one request with an error have shown that it is the request:
 * neither pays, or one poisonous request would take the whole fleet out.
 */
function settleBlame(fleet: Fleet, finished: readonly FinishedAttempt[], nowMs: number): void {
  const doubted = finished.filter(({ end }) => FAILURE_RULES[end.outcome].blame === "replica_or_request");
  for (const { upstream, end } of finished) {
    if (end.retryAfterMs !== null) fleet.pause(upstream, nowMs + end.retryAfterMs);
    const event = eventOf(end, doubted.length > 1);
    // An answer that began has already freed its probe's place.
    if (event !== "no_verdict" || end.observation === null) fleet.observe(upstream, event, nowMs);
  }
}

function eventOf(end: AttemptEnd, isRequestsFault: boolean): "success" | "failure" | "no_verdict" {
  switch (FAILURE_RULES[end.outcome].blame) {
    case "none":
      return "no_verdict";
    case "credit":
      return "success";
    case "replica":
      return "failure";
    case "replica_or_request":
      return isRequestsFault ? "no_verdict" : "failure";
  }
}

type Conclusion = Pick<ForwardResult, "outcome" | "errorCode" | "observation">;

/** How the request ended for the client; answers it when no attempt did. */
function conclude(job: ForwardJob, finished: readonly FinishedAttempt[]): Conclusion {
  const last = finished.at(-1)?.end;
  const replica = finished.at(-1)?.upstream.replica.id ?? null;
  if (last === undefined) {
    // Every candidate left the fleet between the decision and now.
    return refuse(
      job,
      replica,
      "upstream_failed",
      new RouterError("no_replica", "No replica can serve this model now."),
    );
  }
  const { observation } = last;
  switch (last.outcome) {
    case "completed":
      // An engine may report its failure inside a 200 stream: relayed as it came, recorded as what it is.
      if (observation?.ending === "error")
        return { outcome: "upstream_failed", errorCode: null, observation };
      return { outcome: "completed", errorCode: null, observation };
    case "client_gone":
      return { outcome: "client_gone", errorCode: null, observation };
    case "client_error":
      if (last.modelMissing !== null) relayModelMissing(job, replica, last.modelMissing);
      return { outcome: "client_error", errorCode: null, observation };
    case "broken_stream":
      return { outcome: "broken_stream", errorCode: "upstream_failed", observation };
    case "idle_timeout":
      return { outcome: "broken_stream", errorCode: "upstream_timeout", observation };
    case "first_byte_timeout":
      return refuse(
        job,
        replica,
        "upstream_timeout",
        new RouterError("upstream_timeout", "The model did not begin to answer in time."),
      );
    case "engine_saturated":
      return refuse(
        job,
        replica,
        "rejected",
        new RouterError("saturated", "Every replica of this model is at its limit. Try again later.", {
          retryAfterMs: shortestPause(finished),
        }),
      );
    case "connect_failed":
    case "reset_before_first_byte":
    case "engine_error":
      return refuse(
        job,
        replica,
        "upstream_failed",
        new RouterError("upstream_failed", "The model's replicas failed to answer this request."),
      );
  }
}

/** No replica has the model or the route: the last one's own answer says it best. */
function relayModelMissing(job: ForwardJob, replica: string | null, answer: ErrorAnswer): void {
  if (job.reply.isGone) return;
  const set = [...(replica === null ? [] : [REPLICA_HEADER, replica]), ...job.reply.ownHeaders];
  job.reply.begin(answer.status, answer.statusMessage, responseHeadersFor(flatHeaders(answer.headers), set));
  for (const chunk of answer.chunks) job.reply.write(chunk);
  job.reply.end();
}

function refuse(
  job: ForwardJob,
  lastReplica: string | null,
  outcome: DecisionOutcome,
  error: RouterError,
): Conclusion {
  if (job.reply.isGone) return { outcome: "client_gone", errorCode: null, observation: null };
  if (lastReplica !== null) job.reply.addHeader(REPLICA_HEADER, lastReplica);
  job.reply.fail(error);
  return { outcome, errorCode: error.code, observation: null };
}

function shortestPause(finished: readonly FinishedAttempt[]): number | null {
  const pauses = finished.flatMap(({ end }) => (end.retryAfterMs === null ? [] : [end.retryAfterMs]));
  return pauses.length === 0 ? null : Math.min(...pauses);
}
