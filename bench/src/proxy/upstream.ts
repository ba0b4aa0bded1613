import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { type ReceivedRequest, UpstreamConnection } from "./upstream-connection.ts";
import {
  chatAnswer,
  HEALTH_PAGE,
  METRICS_PAGE,
  MODELS_PAGE,
  SERVER_INFO_PAGE,
  STREAM_EVENTS,
  STREAM_HEAD,
  STREAM_TAIL,
  streamEvent,
} from "./upstream-pages.ts";

/** How streamed answers come: as fast as they can be written, one event per 20 ms, or one event and then silence. */
export type StreamPace = "flood" | "paced" | "idle";

const PACE_MS = 20;
const BYTES_PER_TOKEN = 4;

interface PacedStream {
  readonly socket: Socket;
  events: number;
}

/**
 * Many replicas of one engine in one process, a port each. It answers at once and at the least cost, so that what is
 * measured is the proxy in front of it.
 */
export class Upstream {
  pace: StreamPace = "flood";
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #answers = new Map<number, Buffer>();
  /** Paced streams by the millisecond of the 20 at which they started. */
  readonly #wheel: PacedStream[][] = Array.from({ length: PACE_MS }, () => []);
  #wheelAtMs = 0;
  #wheelTimer: NodeJS.Timeout | null = null;

  /** Opens a port per replica. */
  async listen(replicas: number): Promise<number[]> {
    const ports: number[] = [];
    for (let replica = 0; replica < replicas; replica++) {
      const server = createServer({ noDelay: true }, (socket) => this.#serve(socket));
      server.listen(0, "127.0.0.1", 4_096);
      await once(server, "listening");
      const address = server.address();
      if (address === null || typeof address === "string") throw new Error("the upstream has no port");
      ports.push(address.port);
      this.#servers.push(server);
    }
    return ports;
  }

  close(): void {
    for (const server of this.#servers.splice(0)) server.close();
    for (const socket of this.#sockets) socket.destroy();
    if (this.#wheelTimer !== null) clearTimeout(this.#wheelTimer);
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("close", () => this.#sockets.delete(socket));
    socket.on("error", () => {});
    new UpstreamConnection(socket, { received: (request) => this.#answer(socket, request) });
  }

  #answer(socket: Socket, request: ReceivedRequest): void {
    if (request.method !== "POST") {
      socket.write(pageOf(request.path));
      return;
    }
    if (!request.wantsStream) {
      socket.write(this.#chatAnswer(request.bodyBytes));
      return;
    }
    socket.write(STREAM_HEAD);
    switch (this.pace) {
      case "flood":
        flood(socket, 0);
        break;
      case "paced":
        this.#startPaced(socket);
        break;
      case "idle":
        socket.write(streamEvent(performance.now()));
        break;
    }
  }

  #chatAnswer(bodyBytes: number): Buffer {
    const tokens = Math.round(bodyBytes / BYTES_PER_TOKEN);
    let answer = this.#answers.get(tokens);
    if (answer === undefined) {
      answer = chatAnswer(tokens);
      this.#answers.set(tokens, answer);
    }
    return answer;
  }

  #startPaced(socket: Socket): void {
    const nowMs = performance.now();
    socket.write(streamEvent(nowMs));
    this.#wheel[Math.floor(nowMs) % PACE_MS]?.push({ socket, events: 1 });
    if (this.#wheelTimer !== null) return;
    this.#wheelAtMs = Math.floor(nowMs);
    this.#turnSoon();
  }

  #turnSoon(): void {
    this.#wheelTimer = setTimeout(() => this.#turn(), 1);
  }

  /** Writes the next event of every stream whose millisecond has come, also of those a late timer has passed over. */
  #turn(): void {
    const nowMs = Math.floor(performance.now());
    for (let slot = this.#wheelAtMs + 1; slot <= nowMs; slot++) {
      const streams = this.#wheel[slot % PACE_MS] ?? [];
      for (let index = streams.length - 1; index >= 0; index--) {
        const stream = streams[index];
        if (stream !== undefined && !writePaced(stream)) streams.splice(index, 1);
      }
    }
    this.#wheelAtMs = Math.max(this.#wheelAtMs, nowMs);
    if (this.#wheel.some((streams) => streams.length > 0)) this.#turnSoon();
    else this.#wheelTimer = null;
  }
}

function pageOf(path: string): Buffer {
  if (path.startsWith("/metrics")) return METRICS_PAGE;
  if (path.startsWith("/v1/models")) return MODELS_PAGE;
  if (path.includes("info")) return SERVER_INFO_PAGE;
  return HEALTH_PAGE;
}

function flood(socket: Socket, written: number): void {
  if (socket.destroyed) return;
  if (written === STREAM_EVENTS) {
    socket.write(STREAM_TAIL);
    return;
  }
  const isRoomLeft = socket.write(streamEvent(performance.now()));
  if (isRoomLeft) setImmediate(flood, socket, written + 1);
  else socket.once("drain", () => flood(socket, written + 1));
}

/** False when the stream is over. */
function writePaced(stream: PacedStream): boolean {
  if (stream.socket.destroyed) return false;
  stream.socket.write(streamEvent(performance.now()));
  stream.events++;
  if (stream.events < STREAM_EVENTS) return true;
  stream.socket.write(STREAM_TAIL);
  return false;
}
