import type { DecisionRecord } from "@evenkeel/db/decision-record";
import {
  type Attributes,
  type Context,
  type HrTime,
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace-base";
import { VERSION } from "./version.ts";

export interface TracingOptions {
  /** Where spans go: the collector's OTLP/HTTP traces URL. */
  readonly endpoint: string;
  /** Share of requests traced when the client's own trace does not decide, 0..1. */
  readonly ratio: number;
  readonly routerId: string;
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/**
 * Traces of finished requests: one span per request with the decision as attributes, one per attempt below it. They
 * are made from the record when all is over, so a request costs nothing more on its way. No prompt, no session.
 */
export class Tracing {
  readonly #provider: BasicTracerProvider;
  readonly #tracer: Tracer;

  constructor({ endpoint, ratio, routerId }: TracingOptions) {
    this.#provider = new BasicTracerProvider({
      resource: resourceFromAttributes({
        "service.name": "evenkeel-router",
        "service.version": VERSION,
        "service.instance.id": routerId,
      }),
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
      spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: endpoint }))],
    });
    this.#tracer = this.#provider.getTracer("evenkeel-router", VERSION);
  }

  /** @param traceparent the client's W3C trace context; the request joins its trace */
  record(record: DecisionRecord, arrivedAtMs: number, traceparent: string | undefined): void {
    const parent = parentOf(traceparent);
    const { attempts } = record;
    const span = this.#tracer.startSpan(
      `route ${record.decision.baseModel ?? "unknown model"}`,
      { kind: SpanKind.SERVER, startTime: hrTime(arrivedAtMs), attributes: attributesOf(record) },
      parent,
    );
    if (span.isRecording()) {
      const context = trace.setSpan(parent, span);
      // Attempts follow one another; the first began when the request was decided.
      let startMs = record.decision.decidedAtMs;
      for (const attempt of attempts) {
        const child = this.#tracer.startSpan(
          `attempt ${attempt.replica}`,
          {
            kind: SpanKind.CLIENT,
            startTime: hrTime(startMs),
            attributes: {
              "evenkeel.replica": attempt.replica,
              "evenkeel.attempt.outcome": attempt.outcome,
              ...present({ "http.response.status_code": attempt.status }),
            },
          },
          context,
        );
        startMs += attempt.durationMs;
        child.end(hrTime(startMs));
      }
      if (record.outcome !== "completed")
        span.setStatus({ code: SpanStatusCode.ERROR, message: record.outcome });
    }
    span.end(hrTime(arrivedAtMs + record.durationMs));
  }

  /** Sends what is left. */
  async close(): Promise<void> {
    await this.#provider.shutdown();
  }
}

function parentOf(traceparent: string | undefined): Context {
  const match = TRACEPARENT.exec(traceparent ?? "");
  const [, traceId, spanId, flags] = match ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT;
  const context = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED,
    isRemote: true,
  };
  return isSpanContextValid(context) ? trace.setSpanContext(ROOT_CONTEXT, context) : ROOT_CONTEXT;
}

function attributesOf(record: DecisionRecord): Attributes {
  const { decision } = record;
  const [first] = decision.candidates;
  return {
    "gen_ai.request.model": record.model,
    "evenkeel.decision.id": record.id,
    "evenkeel.decision.kind": decision.kind,
    "evenkeel.decision.reason": decision.kind === "routed" ? decision.reason : decision.code,
    "evenkeel.decision.candidates": decision.candidates.length,
    "evenkeel.decision.filtered": decision.filtered.length,
    "evenkeel.policy.revision": decision.policyRevision,
    "evenkeel.strategy": decision.strategy,
    "evenkeel.outcome": record.outcome,
    "evenkeel.held_ms": record.heldMs,
    ...present({
      "evenkeel.replica": decision.kind === "routed" ? decision.chosen : null,
      "evenkeel.predicted_ttft_ms": first?.predictedTtftMs ?? null,
      "evenkeel.ttft_ms": record.ttftMs,
      "evenkeel.itl_ms": record.itlMs,
      "evenkeel.cached_tokens": record.cachedTokens,
      "gen_ai.usage.input_tokens": record.promptTokens,
      "gen_ai.usage.output_tokens": record.outputTokens,
      "http.response.status_code": record.status,
      "error.type": record.errorCode,
    }),
  };
}

/** Only what is known: an absent attribute is not a zero. */
function present(attributes: Readonly<Record<string, string | number | null>>): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null)) as Attributes; // Cast: nulls are gone.
}

function hrTime(epochMs: number): HrTime {
  const seconds = Math.floor(epochMs / 1_000);
  return [seconds, Math.round((epochMs - seconds * 1_000) * 1e6)];
}
