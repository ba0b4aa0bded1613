import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { DecisionRecord } from "@evenkeel/db/decision-record";
import { parseClientRequest } from "@evenkeel/protocol/client/parse-client-request";
import { DECISION_HEADER, POLICY_HEADER } from "@evenkeel/protocol/headers/header-names";
import type { RouteKind } from "@evenkeel/protocol/openai/route-kind";
import { type DecideDeps, decide } from "./decide.ts";
import { type ForwardDeps, type ForwardResult, forward } from "./forward/forward.ts";
import type { ClientReply } from "./http/client-reply.ts";
import { type BodyLimits, readBody } from "./http/read-body.ts";
import { RouterError } from "./http/router-error.ts";
import type { PolicyHolder } from "./policy/policy-holder.ts";
import { readInferenceRequest } from "./read-inference-request.ts";
import { newDecisionId } from "./record/decision-id.ts";
import { recordOf } from "./record/record-of.ts";
import { rejectionOf } from "./rejection.ts";

export interface InferenceDeps extends ForwardDeps, DecideDeps {
  readonly routerId: string;
  readonly bodyLimits: BodyLimits;
  readonly policy: PolicyHolder;
  readonly sessionHashKey: string;
  /** Takes over what is kept of a request; neither fails nor waits. */
  readonly record: (record: DecisionRecord, arrival: Arrival) => void;
}

/** What is known of a request beside its record. */
export interface Arrival {
  readonly arrivedAtMs: number;
  /** The client's W3C trace context. */
  readonly traceparent: string | undefined;
}

/** One client request as the server hands it over. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly reply: ClientReply;
  readonly path: string;
  readonly kind: RouteKind;
  readonly requestId: string;
  readonly arrivedAtMs: number;
}

/**
 * One inference request, in five steps: parse, look up, schedule, forward, record. After the body has been read only
 * forwarding waits for the network.
 * @throws RouterError for what is answered before there is a decision
 */
export async function handleInference(deps: InferenceDeps, exchange: Exchange): Promise<void> {
  const { reply, arrivedAtMs, incoming, path, kind, requestId } = exchange;
  const body = await readBody(incoming, deps.bodyLimits);
  try {
    // 1 parse; the policy is read once, so that no swap can mix two revisions in one request
    const policy = deps.policy.current;
    const parsed = parseClientRequest(path, body.bytes, incoming.headers, isUtf8);
    if (!parsed.ok) {
      throw new RouterError("invalid_request", parsed.problem.message, { param: parsed.problem.field });
    }
    const modelPolicy = policy.forModel(parsed.request.model);
    const request = readInferenceRequest(parsed.request, {
      id: newDecisionId(arrivedAtMs),
      arrivedAtMs,
      sessionKeys: modelPolicy?.sessions.keys ?? [],
      sessionHashKey: deps.sessionHashKey,
      estimateTokens: (units) => deps.fleet.state.estimatePromptTokens(parsed.request.model, units),
    });
    reply.addHeader(DECISION_HEADER, request.id);
    reply.addHeader(POLICY_HEADER, String(policy.revision));

    // 2 look up and 3 schedule, again after a hold
    const decided = await decide(deps, policy, request, reply);
    const { decision } = decided;

    // 4 forward
    const result =
      decision.kind === "routed" && modelPolicy !== null
        ? await forward(deps, {
            reply,
            arrived: {
              kind,
              path,
              headers: incoming.headers,
              body: body.bytes,
              model: parsed.request.model,
              hasLoraPath: parsed.request.loraPath !== null,
            },
            rawHeaders: incoming.rawHeaders,
            requestId,
            request,
            decision,
            policy: modelPolicy,
          })
        : refuse(reply, rejectionOf(deps, decision, request.model));

    // 5 record
    deps.record(
      recordOf({
        status: reply.status,
        requestId,
        arrivedAtMs,
        routerId: deps.routerId,
        request,
        decided,
        result,
        endedAtMs: deps.clock(),
      }),
      { arrivedAtMs, traceparent: traceparentOf(incoming) },
    );
  } finally {
    body.release();
  }
}

/** Answers a rejected request. */
function refuse(reply: ClientReply, error: RouterError): ForwardResult {
  const nothing = { attempts: [], observation: null };
  if (reply.isGone) return { ...nothing, outcome: "client_gone", errorCode: null };
  reply.fail(error);
  return { ...nothing, outcome: "rejected", errorCode: error.code };
}

/** The client's trace context; Node joins repeated headers, and a joined one is none. */
export function traceparentOf(incoming: IncomingMessage): string | undefined {
  const header = incoming.headers["traceparent"];
  return typeof header === "string" ? header : undefined;
}
