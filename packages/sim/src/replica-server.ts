import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { seededRng } from "@evenkeel/scheduler/rng";
import { Answer } from "./answer.ts";
import { type EngineRequest, parseChatRequest, parseCompletionRequest } from "./engine-request.ts";
import { FaultControl } from "./fault-control.ts";
import { bodyText, sendJson, sendText } from "./http-body.ts";
import { LoraRegistry } from "./lora-registry.ts";
import { CHAT_OUTPUT_LENGTH, type OutputLength, outputTokensOf } from "./output-length.ts";
import type { RealTimeClock } from "./real-time-clock.ts";
import { type ActiveFault, type FaultKind, type ReplicaFaultInput, replicaFault } from "./replica-fault.ts";
import type { ReplicaParameters } from "./replica-parameters.ts";
import { ReplicaRunner } from "./replica-runner.ts";
import { RequestTooLongError } from "./request-too-long-error.ts";
import type { Sequence } from "./sequence.ts";
import { toVllmError, VllmError } from "./vllm-error.ts";
import { type MetricsGeneration, VllmMetrics } from "./vllm-metrics.ts";

/** The vLLM version that the answers imitate. */
const VLLM_VERSION = { current: "0.27.1", old: "0.9.1" } as const;

export interface ReplicaServerOptions {
  readonly id: string;
  readonly model: string;
  readonly parameters: ReplicaParameters;
  readonly clock: RealTimeClock;
  /** Virtual seconds per real second, as the clock's. Metrics are told in real time. */
  readonly speed: number;
  readonly seed: number;
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly metricsGeneration: MetricsGeneration;
  readonly outputLength?: OutputLength;
  /** Adapters known from the start. */
  readonly adapters?: readonly string[];
  /** A slower or faster copy of the preset: multiplies step times. */
  readonly slowdown?: number;
}

/** One simulated vLLM: its HTTP interface over the replica model, with faults on request. */
export class ReplicaServer {
  readonly id: string;
  readonly #options: ReplicaServerOptions;
  readonly #runner: ReplicaRunner;
  readonly #answers = new Map<string, Answer>();
  readonly #faults: FaultControl;
  readonly #metrics = new VllmMetrics();
  readonly #lora: LoraRegistry;
  readonly #createdAtSeconds = Math.floor(Date.now() / 1000);
  #server: Server;
  #port: number;
  #requests = 0;
  #isClosed = false;

  constructor(options: ReplicaServerOptions) {
    this.id = options.id;
    this.#options = options;
    this.#port = options.port;
    this.#faults = new FaultControl(
      { begin: (fault) => this.#beginFault(fault), end: (kind) => this.#endFault(kind) },
      seededRng(options.seed),
    );
    this.#lora = new LoraRegistry(options.model, options.adapters ?? []);
    this.#runner = new ReplicaRunner(options.parameters, options.clock, (sequences, atMs) =>
      this.#onTokens(sequences, atMs),
    );
    this.#runner.model.slowdown = options.slowdown ?? 1;
    this.#server = this.#newServer();
  }

  get url(): string {
    return `http://${this.#options.host}:${this.#port}`;
  }

  /** What the engine would say of itself now. */
  get state(): { running: number; queueDepth: number; kvOccupancy: number; openAnswers: number } {
    const { running, queueDepth, kvOccupancy } = this.#runner.model;
    return { running, queueDepth, kvOccupancy, openAnswers: this.#answers.size };
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(this.#port, this.#options.host, () => {
        this.#server.off("error", reject);
        const address = this.#server.address();
        if (address !== null && typeof address === "object") this.#port = address.port;
        resolve();
      });
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#faults.stop();
    await this.#stopListening();
  }

  /**
   * Makes the replica fail in a given way, or ends that with `{ kind: "clear" }`.
   * @throws z.ZodError when the fault is not one
   */
  async fault(input: ReplicaFaultInput): Promise<void> {
    await this.#faults.set(input);
  }

  async #beginFault(fault: ActiveFault): Promise<void> {
    if (fault.kind === "slow") this.#runner.model.slowdown = fault.factor * (this.#options.slowdown ?? 1);
    if (fault.kind === "freeze") this.#runner.isFrozen = true;
    if (fault.kind === "crash") this.#runner.restart();
    if (fault.kind === "refuse" || fault.kind === "crash") await this.#stopListening();
  }

  async #endFault(kind: FaultKind): Promise<void> {
    if (kind === "slow") this.#runner.model.slowdown = this.#options.slowdown ?? 1;
    if (kind === "freeze") this.#runner.isFrozen = false;
    const isDown = this.#faults.get("refuse") !== null || this.#faults.get("crash") !== null;
    if ((kind === "refuse" || kind === "crash") && !isDown && !this.#isClosed && !this.#server.listening) {
      this.#server = this.#newServer();
      await this.listen();
    }
  }

  #newServer(): Server {
    const server = createServer((request, response) => {
      this.#handle(request, response).catch((error: unknown) => this.#fail(response, error));
    });
    server.keepAliveTimeout = 5000;
    return server;
  }

  async #stopListening(): Promise<void> {
    for (const answer of [...this.#answers.values()]) this.#drop(answer);
    const server = this.#server;
    if (!server.listening) return;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? "/").split("?", 1)[0] ?? "/";
    const route = `${request.method} ${path}`;
    switch (route) {
      case "POST /v1/chat/completions":
        return this.#infer(
          parseChatRequest(await bodyText(request), this.#options.parameters.blockTokens),
          response,
        );
      case "POST /v1/completions": {
        const text = await bodyText(request);
        return this.#infer(parseCompletionRequest(text, this.#options.parameters.blockTokens), response);
      }
      case "GET /v1/models":
        return sendJson(response, 200, {
          object: "list",
          data: this.#lora.cards(this.#createdAtSeconds, this.#options.parameters.maxModelTokens),
        });
      case "GET /health":
      case "GET /ping":
        response.writeHead(200, { "content-length": 0 }).end();
        return;
      case "GET /version":
        return sendJson(response, 200, { version: VLLM_VERSION[this.#options.metricsGeneration] });
      case "GET /metrics":
        return this.#sendMetrics(response);
      case "POST /v1/load_lora_adapter":
        return sendText(response, this.#lora.load(await bodyText(request)));
      case "POST /v1/unload_lora_adapter":
        return sendText(response, this.#lora.unload(await bodyText(request)));
      case "GET /sim/state":
        return sendJson(response, 200, { id: this.id, ...this.state, faults: this.#faults.list() });
      case "POST /sim/faults":
        return this.#setFault(await bodyText(request), response);
      default:
        return sendJson(response, 404, { detail: "Not Found" });
    }
  }

  async #setFault(text: string, response: ServerResponse): Promise<void> {
    let data: unknown;
    try {
      data = JSON.parse(text);
    } catch {
      return sendJson(response, 400, { problems: [{ path: [], message: "the body is not JSON" }] });
    }
    const parsed = replicaFault.safeParse(data);
    if (!parsed.success) return sendJson(response, 400, { problems: parsed.error.issues });
    sendJson(response, 200, { id: this.id, fault: parsed.data });
    await this.fault(parsed.data);
  }

  #sendMetrics(response: ServerResponse): void {
    const { model, metricsGeneration } = this.#options;
    const page = this.#metrics.page(this.#runner.model, model, metricsGeneration, Date.now());
    const send = (): void => {
      response.writeHead(200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" }).end(page);
    };
    const slow = this.#faults.get("slow_metrics");
    if (slow === null) send();
    else setTimeout(send, slow.ms).unref();
  }

  #infer(request: EngineRequest, response: ServerResponse): void {
    const { clock, speed } = this.#options;
    this.#refuseByFault();
    const adapter = this.#lora.resolve(request.model);
    const natural = outputTokensOf(
      this.#options.outputLength ?? CHAT_OUTPUT_LENGTH,
      request.prompt.fingerprint ^ this.#options.seed,
    );
    const limit = request.maxTokens ?? Number.POSITIVE_INFINITY;
    const { parameters } = this.#options;
    const contextTokens = Math.min(parameters.maxModelTokens, parameters.kvBlocks * parameters.blockTokens);
    const needed = request.prompt.tokens + (request.maxTokens ?? 1);
    if (needed > contextTokens) throw new RequestTooLongError(needed, contextTokens);
    const isCut = request.maxTokens !== null && (request.ignoresEnd || natural > limit);
    const resetAfterTokens = this.#faults.draw("reset")?.afterTokens ?? null;
    this.#requests += 1;
    const answer = new Answer({
      id: `${this.id}-${this.#requests}`,
      request,
      response,
      adapter,
      outputTokens: isCut ? limit : Math.min(natural, contextTokens - request.prompt.tokens),
      reason: isCut ? "length" : "stop",
      acceptedAtMs: clock.nowMs,
      createdAtSeconds: Math.floor(Date.now() / 1000),
      resetAfterTokens,
    });
    if (resetAfterTokens === 0) {
      answer.reset();
      return;
    }
    const stall = this.#faults.draw("stall");
    const stallMs = stall === null ? 0 : (stall.ms ?? Number.POSITIVE_INFINITY);
    this.#answers.set(answer.id, answer);
    response.once("close", () => {
      if (!answer.isOver) this.#drop(answer);
    });
    if (stallMs === 0) {
      this.#enqueue(answer, response);
      return;
    }
    answer.begin();
    if (Number.isFinite(stallMs))
      clock.at(clock.nowMs + stallMs * speed, () => this.#enqueue(answer, response));
  }

  #enqueue(answer: Answer, response: ServerResponse): void {
    if (answer.isOver) return;
    try {
      this.#runner.enqueue(answer.modelRequest);
    } catch (error) {
      this.#close(answer);
      this.#fail(response, error);
      return;
    }
    if (!response.headersSent) answer.begin();
  }

  #refuseByFault(): void {
    if (this.#faults.draw("overload") !== null) {
      throw new VllmError(
        503,
        "ServiceUnavailableError",
        "The engine is overloaded. Please try again later.",
      );
    }
    if (this.#faults.draw("error") !== null) {
      this.#metrics.finished.error += 1;
      throw new VllmError(500, "InternalServerError", "EngineCore encountered an issue.");
    }
  }

  #onTokens(sequences: readonly Sequence[], atMs: number): void {
    const perSecond = 1000 * this.#options.speed;
    for (const sequence of sequences) {
      const answer = this.#answers.get(sequence.request.id);
      if (answer === undefined) continue;
      if (sequence.outputTokens === 1) this.#metrics.ttft.observe((atMs - answer.acceptedAtMs) / perSecond);
      else this.#metrics.itl.observe((atMs - answer.lastTokenAtMs) / perSecond);
      answer.lastTokenAtMs = atMs;
      if (answer.resetAfterTokens !== null && sequence.outputTokens > answer.resetAfterTokens) {
        this.#drop(answer);
        answer.reset();
        continue;
      }
      if (!answer.advance(sequence)) continue;
      this.#close(answer);
      this.#metrics.observeFinished(answer.finishReason, {
        seconds: (atMs - answer.acceptedAtMs) / perSecond,
        promptTokens: answer.promptTokens,
        outputTokens: sequence.outputTokens,
      });
    }
  }

  /** Ends an answer that will not complete: the engine gives up its slot at once. */
  #drop(answer: Answer): void {
    this.#close(answer);
    this.#metrics.finished.abort += 1;
    this.#runner.abort(answer.id);
  }

  #close(answer: Answer): void {
    answer.isOver = true;
    this.#answers.delete(answer.id);
  }

  #fail(response: ServerResponse, error: unknown): void {
    const known = toVllmError(error);
    if (response.headersSent) {
      response.end(`data: ${known.body}\n\ndata: [DONE]\n\n`);
      return;
    }
    response.writeHead(known.status, { "content-type": "application/json" }).end(known.body);
  }
}
