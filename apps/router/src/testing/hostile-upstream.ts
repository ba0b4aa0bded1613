import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";

/** One request as it arrived on the wire, and the socket to do anything with. */
export interface HostileExchange {
  /** Request line and headers, as sent. */
  readonly head: string;
  readonly body: Buffer;
  readonly socket: Socket;
  /** Counts inference requests from 0. */
  readonly index: number;
  /** Resolves when the other side has closed the connection. */
  readonly closed: Promise<void>;
}

export interface HostileUpstream {
  readonly url: string;
  readonly port: number;
  /** Inference requests received so far. */
  readonly exchanges: readonly HostileExchange[];
  /** Waits for the request of this index. */
  received(index: number): Promise<HostileExchange>;
  close(): Promise<void>;
}

export type HostileScript = (exchange: HostileExchange) => void;

const METRICS = [
  "# TYPE vllm:num_requests_running gauge",
  'vllm:num_requests_running{engine="0",model_name="m"} 0',
  "# TYPE vllm:num_requests_waiting gauge",
  'vllm:num_requests_waiting{engine="0",model_name="m"} 0',
  "# TYPE vllm:kv_cache_usage_perc gauge",
  'vllm:kv_cache_usage_perc{engine="0",model_name="m"} 0.25',
  "",
].join("\n");

/**
 * A replica that does to each inference request exactly what a test says, over a raw socket. Probes (GET) are
 * answered as a healthy vLLM would.
 */
export async function startHostileUpstream(script: HostileScript, port = 0): Promise<HostileUpstream> {
  const exchanges: HostileExchange[] = [];
  const waiting: (() => void)[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    void closed.then(() => sockets.delete(socket));
    readRequests(socket, (head, body) => {
      if (head.startsWith("GET ")) {
        answerProbe(head, socket);
        return;
      }
      const exchange = { head, body, socket, index: exchanges.length, closed };
      exchanges.push(exchange);
      for (const wake of waiting.splice(0)) wake();
      script(exchange);
    });
  });
  await listen(server, port);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    exchanges,
    received: async (index) => {
      for (;;) {
        const exchange = exchanges[index];
        if (exchange !== undefined) return exchange;
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
}

/** Splits a keep-alive connection into requests with content-length bodies. */
function readRequests(socket: Socket, onRequest: (head: string, body: Buffer) => void): void {
  let buffered: Buffer = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    buffered = Buffer.concat([buffered, chunk]);
    for (;;) {
      const headEnd = buffered.indexOf("\r\n\r\n");
      if (headEnd === -1) return;
      const head = buffered.toString("latin1", 0, headEnd);
      const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
      const end = headEnd + 4 + length;
      if (buffered.length < end) return;
      const body = buffered.subarray(headEnd + 4, end);
      buffered = buffered.subarray(end);
      onRequest(head, body);
    }
  });
}

function answerProbe(head: string, socket: Socket): void {
  if (head.startsWith("GET /metrics")) answer(socket, 200, METRICS, "text/plain");
  else answer(socket, 404, "{}");
}

/** Writes a whole answer with its length. */
export function answer(
  socket: Socket,
  status: number,
  body: string | Buffer,
  contentType = "application/json",
  headers: readonly string[] = [],
): void {
  const bytes = Buffer.from(body);
  const lines = [
    `HTTP/1.1 ${status} Scripted`,
    `content-type: ${contentType}`,
    `content-length: ${bytes.length}`,
    ...headers,
  ];
  socket.write(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), bytes]));
}

/** Begins an event stream in chunked encoding. */
export function beginStream(socket: Socket, headers: readonly string[] = []): void {
  const lines = [
    "HTTP/1.1 200 OK",
    "content-type: text/event-stream; charset=utf-8",
    "transfer-encoding: chunked",
    ...headers,
  ];
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
}

/** Sends bytes as one chunk. */
export function sendChunk(socket: Socket, bytes: string | Buffer): void {
  const data = Buffer.from(bytes);
  socket.write(Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from("\r\n")]));
}

/** The clean end of a chunked answer. */
export function endStream(socket: Socket): void {
  socket.write("0\r\n\r\n");
}

/** A chat event that carries one token. */
export function tokenEvent(text: string): string {
  return `data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":${JSON.stringify(text)}},"finish_reason":null}]}\n\n`;
}

/** A whole, ordinary chat answer. */
export const CHAT_ANSWER = JSON.stringify({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "Hello there" }, finish_reason: "stop" }],
  usage: {
    prompt_tokens: 12,
    completion_tokens: 3,
    total_tokens: 15,
    prompt_tokens_details: { cached_tokens: 8 },
  },
});
