import { request } from "node:http";

/** An answer as it came over the wire, its chunked framing taken off and nothing else. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly trailers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  /** Whether the answer ended as HTTP says it must. */
  readonly isComplete: boolean;
}

/** Sends a request without a client library's interpretation: no decompression, no redirects, no retries. */
export function send(
  url: string,
  options: {
    method?: string;
    headers?: Readonly<Record<string, string>>;
    body?: string | Buffer;
  } = {},
): Promise<WireAnswer> {
  const body = options.body ?? JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hello" }] });
  const method = options.method ?? "POST";
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { method, headers: { "content-type": "application/json", ...options.headers } },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", () => {});
        incoming.on("close", () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            trailers: incoming.trailers,
            body: Buffer.concat(chunks),
            isComplete: incoming.complete,
          }),
        );
      },
    );
    outgoing.on("error", reject);
    outgoing.end(method === "GET" || method === "HEAD" ? undefined : body);
  });
}
