import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { isRequestId } from "@evenkeel/protocol/headers/field-syntax";
import { REQUEST_ID_HEADER } from "@evenkeel/protocol/headers/header-names";
import { framingProblem } from "@evenkeel/protocol/headers/request-framing";
import { pathProblem } from "@evenkeel/protocol/openai/path-problem";
import { type RouteKind, routeKindOf } from "@evenkeel/protocol/openai/route-kind";
import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import { type Exchange, handleInference, type InferenceDeps } from "../handle-inference.ts";
import { handleModels, type ModelsDeps } from "../handle-models.ts";
import { handleUpgrade, type UpgradeExchange } from "../upgrade/handle-upgrade.ts";
import { UpgradeClient } from "../upgrade/upgrade-client.ts";
import type { ApiKeys } from "./api-keys.ts";
import { ClientReply } from "./client-reply.ts";
import { ClientGoneError } from "./read-body.ts";
import { INTERNAL_ERROR_BODY, RouterError } from "./router-error.ts";
import { answerBrokenRequest, answerOnSocket } from "./socket-answer.ts";

export interface DataServerOptions {
  readonly maxHeaderBytes: number;
  readonly requestTimeoutMs: number;
  readonly keepAliveMs: number;
}

export interface DataServerDeps {
  readonly inference: InferenceDeps;
  readonly models: ModelsDeps;
  readonly apiKeys: ApiKeys;
  readonly clock: Clock;
  readonly logger: Logger;
}

const REALTIME_PATH = "/v1/realtime";
/** How long a refused request may go on arriving. */
const LINGER_MS = 2_000;

/** The clients' side: one server for inference and the model list, and every error in OpenAI's shape. */
export class DataServer {
  readonly http: Server;
  readonly #deps: DataServerDeps;
  /** Requests that have arrived and are not over. */
  #active = 0;
  readonly #tunnels = new Set<Duplex>();
  #isDraining = false;
  #onIdle: (() => void) | null = null;

  constructor(deps: DataServerDeps, options: DataServerOptions) {
    this.#deps = deps;
    this.http = createServer(
      {
        maxHeaderSize: options.maxHeaderBytes,
        headersTimeout: Math.min(options.requestTimeoutMs, 20_000),
        requestTimeout: options.requestTimeoutMs,
        // How late the two limits above may act.
        connectionsCheckingInterval: Math.min(5_000, Math.max(100, options.requestTimeoutMs / 4)),
        keepAliveTimeout: options.keepAliveMs,
        noDelay: true,
        insecureHTTPParser: false,
        requireHostHeader: true,
      },
      (request, response) => this.#serve(request, response),
    );
    // No limit on a socket's silence: a reasoning model may think for minutes. The policy's limits act.
    this.http.timeout = 0;
    this.http.on("clientError", answerBrokenRequest);
    this.http.on("checkExpectation", (request, response) =>
      this.#serve(request, response, unmetExpectation()),
    );
    this.http.on("connect", (_request, socket) => answerOnSocket(socket, NO_PROXY, ["allow: GET, POST"]));
    this.http.on("upgrade", (request, socket, head) => this.#upgrade(request, socket, head));
  }

  get active(): number {
    return this.#active;
  }

  /**
   * Stops taking connections and lets running requests finish, for at most `limitMs`.
   * Returns how many had not.
   */
  async drain(limitMs: number): Promise<number> {
    this.#isDraining = true;
    this.http.close();
    this.http.closeIdleConnections();
    if (this.#active > 0) {
      await new Promise<void>((resolve) => {
        const limit = setTimeout(resolve, limitMs);
        this.#onIdle = () => {
          clearTimeout(limit);
          resolve();
        };
      });
    }
    const unfinished = this.#active;
    this.http.closeAllConnections();
    for (const socket of this.#tunnels) socket.destroy();
    return unfinished;
  }

  #upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
    const path = incoming.url ?? "/";
    const isWebSocket = incoming.headers.upgrade?.toLowerCase() === "websocket" && incoming.method === "GET";
    if (!isWebSocket || path.split("?", 1)[0] !== REALTIME_PATH) {
      const message = `Only ${REALTIME_PATH} switches protocols here, and only to WebSocket.`;
      answerOnSocket(socket, new RouterError("invalid_request", message, { status: 501 }));
      return;
    }
    const client = new UpgradeClient(socket);
    const requestId = requestIdOf(incoming.headers[REQUEST_ID_HEADER]);
    const arrivedAtMs = this.#deps.clock();
    this.#tunnels.add(socket);
    const opened = this.#open({ incoming, client, head, path, requestId, arrivedAtMs }).catch(
      (error: unknown) => {
        if (error instanceof RouterError) {
          client.fail(error);
          return;
        }
        this.#deps.logger.error({ err: error, requestId }, "upgrade failed by the router's own fault");
        socket.destroy();
      },
    );
    void this.#track(opened).finally(() => this.#tunnels.delete(socket));
  }

  async #open(exchange: UpgradeExchange): Promise<void> {
    const release = this.#deps.apiKeys.admit(exchange.incoming.headers);
    try {
      await handleUpgrade(this.#deps.inference, exchange);
    } finally {
      release();
    }
  }

  /** Counts something among the running requests until it is over. */
  async #track(work: Promise<void>): Promise<void> {
    this.#active++;
    await work;
    this.#active--;
    if (this.#active === 0 && this.#isDraining) this.#onIdle?.();
  }

  /** @param refusal what is wrong with the request already by its headers */
  #serve(request: IncomingMessage, response: ServerResponse, refusal: RouterError | null = null): void {
    const reply = new ClientReply(response);
    const requestId = requestIdOf(request.headers[REQUEST_ID_HEADER]);
    reply.addHeader(REQUEST_ID_HEADER, requestId);
    if (this.#isDraining || refusal !== null) reply.addHeader("connection", "close");
    const work = refusal === null ? this.#route(request, reply, requestId) : Promise.reject(refusal);
    void this.#track(
      work.catch((error: unknown) => {
        this.#fail(error, reply, requestId);
        if (!request.complete) linger(request);
      }),
    );
  }

  async #route(incoming: IncomingMessage, reply: ClientReply, requestId: string): Promise<void> {
    const framing = framingProblem(incoming.rawHeaders);
    if (framing !== null) {
      // Where this request ends is in doubt, and with it what would come next on the connection.
      reply.addHeader("connection", "close");
      throw new RouterError("invalid_request", framing.message, { param: framing.field });
    }
    const path = incoming.url ?? "/";
    const problem = pathProblem(path);
    if (problem !== null) throw new RouterError("invalid_request", problem);
    const kind = routeKindOf(path);
    if (kind !== null) reply.kind = kind;
    const release = this.#deps.apiKeys.admit(incoming.headers);
    try {
      await this.#answer({ incoming, reply, path, kind, requestId, arrivedAtMs: this.#deps.clock() });
    } finally {
      release();
    }
  }

  async #answer({ kind, ...request }: Omit<Exchange, "kind"> & { kind: RouteKind | null }): Promise<void> {
    const bare = request.path.split("?", 1)[0] ?? request.path;
    if (bare === "/v1/models") {
      requireMethod(request, "GET");
      return handleModels(this.#deps.models, request.reply);
    }
    if (kind === null) {
      throw new RouterError("invalid_request", `There is no route ${bare.slice(0, 200)} here.`, {
        status: 404,
      });
    }
    requireMethod(request, "POST");
    return handleInference(this.#deps.inference, { ...request, kind });
  }

  #fail(error: unknown, reply: ClientReply, requestId: string): void {
    if (error instanceof ClientGoneError) return;
    if (error instanceof RouterError) {
      reply.fail(error);
      return;
    }
    this.#deps.logger.error({ err: error, requestId }, "request failed by the router's own fault");
    if (reply.hasBegun) reply.breakOff(null);
    else if (!reply.isGone) reply.sendJson(500, INTERNAL_ERROR_BODY);
  }
}

/**
 * A client that is still sending would miss the answer if its connection closed at once: what comes is thrown away
 * for a while, then the connection is.
 */
function linger(request: IncomingMessage): void {
  request.resume();
  const cut = setTimeout(() => request.socket.destroy(), LINGER_MS);
  cut.unref();
  request.once("close", () => clearTimeout(cut));
}

/** The client's request id when it can be kept, else a new one. */
function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === "string" && isRequestId(header) ? header : randomUUID();
}

/** This is no forward proxy. */
const NO_PROXY = new RouterError("invalid_request", "CONNECT is not served here.", { status: 405 });

function unmetExpectation(): RouterError {
  const message = "The only expectation met here is 100-continue: leave the Expect header out.";
  return new RouterError("invalid_request", message, { status: 417, param: "expect" });
}

function requireMethod(
  { incoming, reply }: Pick<Exchange, "incoming" | "reply">,
  method: "GET" | "POST",
): void {
  if (incoming.method === method || (method === "GET" && incoming.method === "HEAD")) return;
  reply.addHeader("allow", method === "GET" ? "GET, HEAD" : method);
  throw new RouterError("invalid_request", `This route takes ${method} only.`, { status: 405 });
}
