import { type Dispatcher, request } from "undici";

/** What one streamed completion showed its client. */
export interface StreamOutcome {
  /** HTTP status, null when no response came. */
  readonly status: number | null;
  /** Why it failed, null when the stream ended properly. */
  readonly error: string | null;
  /** From sending to the first chunk with content. */
  readonly ttftMs: number | null;
  /** Mean time between chunks with content. */
  readonly itlMs: number | null;
  readonly totalMs: number;
  readonly outputTokens: number;
  /** From the usage chunk; null when there was none. */
  readonly promptTokens: number | null;
  readonly cachedTokens: number | null;
  readonly text: string;
  /** Header `x-evenkeel-replica`, when a router set it. */
  readonly replica: string | null;
}

interface ParsedChunk {
  readonly choices?: readonly {
    readonly delta?: { readonly content?: string | null };
    readonly text?: string;
  }[];
  readonly error?: { readonly message?: string } | string;
  readonly usage?: {
    readonly prompt_tokens?: number;
    readonly completion_tokens?: number;
    readonly prompt_tokens_details?: { readonly cached_tokens?: number } | null;
  } | null;
}

/**
 * Sends one streaming request and measures what comes back. Never throws: failures are in the outcome.
 * @param keepsText collect the answer's text (a next turn needs it)
 */
export async function streamCompletion(options: {
  readonly dispatcher: Dispatcher;
  readonly url: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly keepsText?: boolean;
}): Promise<StreamOutcome> {
  const startedAt = performance.now();
  let status: number | null = null;
  let firstAt: number | null = null;
  let lastAt: number | null = null;
  let chunks = 0;
  let text = "";
  let replica: string | null = null;
  let promptTokens: number | null = null;
  let cachedTokens: number | null = null;
  let outputTokens: number | null = null;
  let isDone = false;
  let error: string | null = null;

  const onEvent = (data: string): void => {
    if (data === "[DONE]") {
      isDone = true;
      return;
    }
    // A token's chunk is recognised by its text alone: parsing every chunk would cost more than the engine.
    const content = contentOf(data);
    if (content !== null && content !== "") {
      const now = performance.now();
      firstAt ??= now;
      lastAt = now;
      chunks += 1;
      if (options.keepsText === true) text += content;
      return;
    }
    if (!data.includes('"usage"') && !data.includes('"error"')) return;
    const chunk = parseChunk(data);
    if (chunk?.error !== undefined) {
      error = typeof chunk.error === "string" ? chunk.error : (chunk.error.message ?? "error event");
    }
    if (chunk?.usage !== undefined && chunk.usage !== null) {
      promptTokens = chunk.usage.prompt_tokens ?? null;
      outputTokens = chunk.usage.completion_tokens ?? null;
      cachedTokens = chunk.usage.prompt_tokens_details?.cached_tokens ?? null;
    }
  };

  try {
    const response = await request(options.url, {
      method: "POST",
      dispatcher: options.dispatcher,
      headers: { "content-type": "application/json", ...options.headers },
      body: options.body,
      headersTimeout: 0,
      bodyTimeout: 0,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    status = response.statusCode;
    const replicaHeader = response.headers["x-evenkeel-replica"];
    replica = typeof replicaHeader === "string" ? replicaHeader : null;
    if (status !== 200) {
      const body = await response.body.text();
      error = `HTTP ${status}: ${body.slice(0, 200)}`;
    } else {
      let rest = "";
      response.body.setEncoding("utf8");
      for await (const piece of response.body) {
        rest += String(piece);
        let from = 0;
        for (let at = rest.indexOf("\n\n", from); at >= 0; at = rest.indexOf("\n\n", from)) {
          const event = rest.slice(from, at);
          from = at + 2;
          if (event.startsWith("data: ")) onEvent(event.slice(6));
        }
        rest = rest.slice(from);
      }
      if (!isDone && error === null) error = "the stream ended without [DONE]";
    }
  } catch (thrown) {
    const known = thrown instanceof Error ? thrown : new Error(String(thrown));
    error = "code" in known && typeof known.code === "string" ? known.code : known.message;
  }
  return {
    status,
    error,
    ttftMs: firstAt === null ? null : firstAt - startedAt,
    itlMs: firstAt === null || lastAt === null || chunks < 2 ? null : (lastAt - firstAt) / (chunks - 1),
    totalMs: performance.now() - startedAt,
    outputTokens: outputTokens ?? chunks,
    promptTokens,
    cachedTokens,
    text,
    replica,
  };
}

const CONTENT_MARKS = ['"delta":{"content":"', '"text":"'] as const;

/** Text of the first choice when it holds no escape, "" for none, null when a full parse is needed. */
function contentOf(data: string): string | null {
  for (const mark of CONTENT_MARKS) {
    const start = data.indexOf(mark);
    if (start < 0) continue;
    const from = start + mark.length;
    const end = data.indexOf('"', from);
    const content = data.slice(from, end);
    if (!content.includes("\\")) return content;
    const choice = parseChunk(data)?.choices?.[0];
    return choice?.delta?.content ?? choice?.text ?? "";
  }
  return null;
}

function parseChunk(data: string): ParsedChunk | null {
  try {
    // Only read through optional fields whose types are checked where they matter; a wrong shape reads as undefined.
    return JSON.parse(data) as ParsedChunk;
  } catch {
    return null;
  }
}
