import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { AttemptOutcome } from "@evenkeel/db/decision-record";
import {
  DECISION_HEADER,
  POLICY_HEADER,
  REPLICA_HEADER,
  REQUEST_ID_HEADER,
} from "@evenkeel/protocol/headers/header-names";
import { requestHeadersFor } from "@evenkeel/protocol/headers/request-headers";
import { responseHeadersFor } from "@evenkeel/protocol/headers/response-headers";
import type { ModelPolicy } from "@evenkeel/scheduler/compile-policy";
import type { RoutedDecision } from "@evenkeel/scheduler/decision";
import { NO_PREFIX } from "@evenkeel/scheduler/prefix-blocks";
import type { InferenceRequest } from "@evenkeel/scheduler/request";
import { decide } from "../decide.ts";
import type { Upstream } from "../fleet/upstream.ts";
import { FAILURE_RULES } from "../forward/attempt-failure.ts";
import type { ForwardResult } from "../forward/forward.ts";
import { flatHeaders } from "../forward/upstream-headers.ts";
import { withheldHeaders } from "../forward/withheld-headers.ts";
import { type InferenceDeps, traceparentOf } from "../handle-inference.ts";
import { RouterError } from "../http/router-error.ts";
import { newDecisionId } from "../record/decision-id.ts";
import { recordOf } from "../record/record-of.ts";
import { rejectionOf } from "../rejection.ts";
import { TunnelAttempt } from "./tunnel-attempt.ts";
import type { UpgradeClient } from "./upgrade-client.ts";

/** A request to switch to WebSocket as the server hands it over. */
export interface UpgradeExchange {
  readonly incoming: IncomingMessage;
  readonly client: UpgradeClient;
  /** Bytes the client sent after its request. */
  readonly head: Buffer;
  readonly path: string;
  readonly requestId: string;
  readonly arrivedAtMs: number;
}

/**
 * Passes a WebSocket through to a replica. It has no body: the model is that of the query, or the fleet's only one.
 * Once both sides have switched, bytes flow untouched until either closes; it counts as in flight until then.
 * @throws RouterError for what is answered before there is a decision
 */
export async function handleUpgrade(deps: InferenceDeps, exchange: UpgradeExchange): Promise<void> {
  const { client, arrivedAtMs, requestId } = exchange;
  const policy = deps.policy.current;
  const request = readUpgrade(deps, exchange);
  const rules = policy.forModel(request.model);
  client.addHeader(REQUEST_ID_HEADER, requestId);
  client.addHeader(DECISION_HEADER, request.id);
  client.addHeader(POLICY_HEADER, String(policy.revision));
  const decided = await decide(deps, policy, request, client);
  const { decision } = decided;
  const result =
    decision.kind === "routed" && rules !== null
      ? await tunnel(deps, exchange, request, decision, rules)
      : refused(client, rejectionOf(deps, decision, request.model));
  const status = client.status;
  deps.record(
    recordOf({
      status,
      requestId,
      arrivedAtMs,
      routerId: deps.routerId,
      request,
      decided,
      result,
      endedAtMs: deps.clock(),
    }),
    { arrivedAtMs, traceparent: traceparentOf(exchange.incoming) },
  );
}

function readUpgrade(deps: InferenceDeps, { path, arrivedAtMs }: UpgradeExchange): InferenceRequest {
  const named = new URL(path, "http://router").searchParams.get("model");
  const [only, ...others] = deps.fleet.models;
  const model = named ?? (others.length === 0 ? only : undefined);
  if (model === undefined || model === "") {
    throw new RouterError("invalid_request", "The fleet serves several models: name one, as ?model=NAME.", {
      param: "model",
    });
  }
  return {
    id: newDecisionId(arrivedAtMs),
    model,
    arrivedAtMs,
    sessionKey: null,
    promptTokens: 1,
    promptTokensExact: false,
    maxOutputTokens: null,
    isStreaming: true,
    prefix: NO_PREFIX,
  };
}

async function tunnel(
  deps: InferenceDeps,
  exchange: UpgradeExchange,
  request: InferenceRequest,
  decision: RoutedDecision,
  rules: ModelPolicy,
): Promise<ForwardResult> {
  const { client } = exchange;
  const attempts: ForwardResult["attempts"][number][] = [];
  for (const { replica } of decision.candidates) {
    const upstream = deps.fleet.upstream(replica);
    if (upstream === undefined || attempts.length >= rules.retries.maxAttempts) continue;
    const startedAtMs = deps.clock();
    if (attempts.length > 0 && !deps.retryBudget.take(startedAtMs)) break;
    const streamId = `${request.id}.${attempts.length + 1}`;
    deps.fleet.dispatched(upstream, { streamId, request, decision }, startedAtMs);
    const { outcome, status } = await tunnelOnce(deps, exchange, upstream, rules);
    const endedAtMs = deps.clock();
    const end = { outcome, status, retryAfterMs: null, modelMissing: null, endedAtMs, observation: null };
    deps.fleet.ended(upstream, streamId, end, exchange.arrivedAtMs);
    deps.fleet.observe(upstream, verdictOf(outcome), endedAtMs);
    attempts.push({ replica, outcome, status, durationMs: endedAtMs - startedAtMs });
    if (client.status !== null || client.isGone) {
      return { attempts, outcome: outcomeOf(outcome), errorCode: null, observation: null };
    }
  }
  const failure = refused(
    client,
    new RouterError("upstream_failed", "The model's replicas did not open the connection."),
  );
  return { ...failure, attempts, outcome: "upstream_failed" };
}

function outcomeOf(outcome: AttemptOutcome): "completed" | "client_gone" | "client_error" {
  return outcome === "client_gone" || outcome === "client_error" ? outcome : "completed";
}

function verdictOf(outcome: AttemptOutcome): "success" | "failure" | "no_verdict" {
  const { blame } = FAILURE_RULES[outcome];
  if (blame === "credit") return "success";
  return blame === "none" ? "no_verdict" : "failure";
}

/** One attempt, until the tunnel has closed. A client without a status may be offered another replica. */
async function tunnelOnce(
  deps: InferenceDeps,
  exchange: UpgradeExchange,
  upstream: Upstream,
  rules: ModelPolicy,
): Promise<{ outcome: AttemptOutcome; status: number | null }> {
  const { client, incoming } = exchange;
  const attempt = new TunnelAttempt(deps.deadlines, deps.clock, rules.timeouts.firstByteMs);
  client.feedFrom({ clientGone: () => attempt.abandon(), clientReady: () => {} });
  upstream.pool.dispatch(
    {
      method: "GET",
      path: upstream.basePath + exchange.path,
      upgrade: "websocket",
      headers: requestHeadersFor(incoming.rawHeaders, {
        set: [REQUEST_ID_HEADER, exchange.requestId, ...upstream.ownHeaders],
        withhold: withheldHeaders(deps.apiKeys),
      }),
    },
    attempt,
  );
  const opening = await attempt.opening;
  client.feedFrom(null);
  switch (opening.kind) {
    case "failed":
      return { outcome: opening.outcome, status: null };
    case "answered": {
      if (opening.status >= 500 || opening.status === 429) {
        return {
          outcome: opening.status === 429 || opening.status === 503 ? "engine_saturated" : "engine_error",
          status: opening.status,
        };
      }
      const headers = responseHeadersFor(flatHeaders(opening.headers), [REPLICA_HEADER, upstream.replica.id]);
      client.answer(opening.status, withoutLength(headers), opening.body);
      return { outcome: "client_error", status: opening.status };
    }
    case "open": {
      const headers = responseHeadersFor(flatHeaders(opening.headers), [REPLICA_HEADER, upstream.replica.id]);
      client.begin(101, ["connection", "Upgrade", "upgrade", "websocket", ...headers]);
      await join(client.socket, opening.socket, exchange.head);
      return { outcome: "completed", status: 101 };
    }
  }
}

function withoutLength(headers: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at + 1 < headers.length; at += 2) {
    if (headers[at]?.toLowerCase() !== "content-length") kept.push(headers[at] ?? "", headers[at + 1] ?? "");
  }
  return kept;
}

/** How long a side may take to close once the other has. */
const CLOSING_MS = 5_000;

/** Lets bytes flow both ways, at the slower side's pace, until both sides have closed. */
function join(near: Duplex, far: Duplex, head: Buffer): Promise<void> {
  near.on("error", () => far.destroy());
  far.on("error", () => near.destroy());
  if (head.length > 0) far.write(head);
  far.pipe(near);
  near.pipe(far);
  return new Promise((resolve) => {
    let open = 2;
    const closeWith = (side: Duplex, other: Duplex): void => {
      const closed = (): void => {
        other.end();
        const cut = setTimeout(() => other.destroy(), CLOSING_MS);
        other.once("close", () => clearTimeout(cut));
        if (--open === 0) resolve();
      };
      if (side.destroyed) closed();
      else side.once("close", closed);
    };
    closeWith(near, far);
    closeWith(far, near);
  });
}

function refused(client: UpgradeClient, error: RouterError): ForwardResult {
  if (client.isGone) return { attempts: [], outcome: "client_gone", errorCode: null, observation: null };
  client.fail(error);
  return { attempts: [], outcome: "rejected", errorCode: error.code, observation: null };
}
