import type { EngineRequest } from "./engine-request.ts";

/** Token counts of one answer so far. */
export interface Usage {
  readonly promptTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
}

export type FinishReason = "stop" | "length";

function usageJson(usage: Usage): string {
  return (
    `{"prompt_tokens":${usage.promptTokens},"total_tokens":${usage.promptTokens + usage.outputTokens},` +
    `"completion_tokens":${usage.outputTokens},"prompt_tokens_details":{"cached_tokens":${usage.cachedTokens}}}`
  );
}

/** Writes the body of one answer in vLLM's shape, as server-sent events or as one JSON object. */
export class VllmResponse {
  readonly #request: EngineRequest;
  readonly #id: string;
  readonly #created: number;
  readonly #head: string;

  /** @param created unix seconds */
  constructor(request: EngineRequest, requestId: string, created: number) {
    this.#request = request;
    this.#id = request.kind === "chat" ? `chatcmpl-${requestId}` : `cmpl-${requestId}`;
    this.#created = created;
    const object = request.kind === "chat" ? "chat.completion.chunk" : "text_completion";
    this.#head =
      `data: {"id":${JSON.stringify(this.#id)},"object":"${object}","created":${created},` +
      `"model":${JSON.stringify(request.model)},"choices":`;
  }

  /** The chunk before the first token; a text completion has none. */
  first(usage: Usage): string {
    if (this.#request.kind === "completion") return "";
    return this.#choice(
      `"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null`,
      usage,
    );
  }

  /** One token. `reason` is set on the last one when the limit ended the answer. */
  token(word: string, usage: Usage, reason: FinishReason | null): string {
    // Words of the simulated vocabulary need no JSON escapes.
    const finish = reason === null ? "null" : `"${reason}","stop_reason":null`;
    const text = this.#request.kind === "chat" ? `"delta":{"content":"${word}"}` : `"text":"${word}"`;
    return this.#choice(`${text},"logprobs":null,"finish_reason":${finish}`, usage);
  }

  /** The chunk that says the answer ended by itself. */
  stop(usage: Usage): string {
    return this.token("", usage, "stop");
  }

  /** Everything after the last chunk with a choice. */
  end(usage: Usage): string {
    const last = this.#request.includesUsage ? `${this.#head}[],"usage":${usageJson(usage)}}\n\n` : "";
    return `${last}data: [DONE]\n\n`;
  }

  /** The whole answer as one JSON object. */
  whole(text: string, reason: FinishReason, usage: Usage): string {
    const isChat = this.#request.kind === "chat";
    const choice = isChat
      ? {
          index: 0,
          message: {
            role: "assistant",
            content: text,
            refusal: null,
            annotations: null,
            audio: null,
            reasoning: null,
          },
          logprobs: null,
          finish_reason: reason,
          stop_reason: null,
          token_ids: null,
        }
      : { index: 0, text, logprobs: null, finish_reason: reason, stop_reason: null, prompt_logprobs: null };
    return JSON.stringify({
      id: this.#id,
      object: isChat ? "chat.completion" : "text_completion",
      created: this.#created,
      model: this.#request.model,
      choices: [choice],
      service_tier: null,
      system_fingerprint: null,
      usage: JSON.parse(usageJson(usage)),
      kv_transfer_params: null,
    });
  }

  #choice(fields: string, usage: Usage): string {
    const perChunk = this.#request.usageOnEveryChunk ? `,"usage":${usageJson(usage)}` : "";
    return `${this.#head}[{"index":0,${fields}}]${perChunk}}\n\n`;
  }
}
