import { z } from "zod";
import { PromptTokens } from "./prompt-tokens.ts";
import { VllmError } from "./vllm-error.ts";

const streamOptions = z
  .looseObject({ include_usage: z.boolean().nullish(), continuous_usage_stats: z.boolean().nullish() })
  .nullish();

const common = {
  model: z.string().min(1),
  stream: z.boolean().nullish(),
  stream_options: streamOptions,
  max_tokens: z.int().min(1).nullish(),
  ignore_eos: z.boolean().nullish(),
  n: z.int().min(1).nullish(),
  cache_salt: z.string().nullish(),
};

const contentPart = z.looseObject({ type: z.string(), text: z.string().nullish() });

const chatBody = z.looseObject({
  ...common,
  messages: z
    .array(
      z.looseObject({
        role: z.string(),
        content: z.union([z.string(), z.array(contentPart)]).nullish(),
        tool_calls: z.array(z.unknown()).nullish(),
      }),
    )
    .min(1),
  tools: z.array(z.unknown()).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
});

const completionBody = z.looseObject({
  ...common,
  prompt: z.union([z.string(), z.array(z.int().min(0)).min(1), z.array(z.string()).length(1)]),
});

/** A validated inference request, its prompt cut into tokens. */
export interface EngineRequest {
  readonly kind: "chat" | "completion";
  readonly model: string;
  readonly prompt: PromptTokens;
  readonly maxTokens: number | null;
  /** The client wants exactly `maxTokens`. */
  readonly ignoresEnd: boolean;
  readonly isStreaming: boolean;
  readonly includesUsage: boolean;
  readonly usageOnEveryChunk: boolean;
}

function parseBody<S extends z.ZodType>(schema: S, text: string): z.output<S> {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new VllmError(400, "Bad Request", `Invalid JSON: ${reason}`, "body");
  }
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const path = ["body", ...(issue?.path ?? [])].map(String).join(".");
  throw new VllmError(
    400,
    "Bad Request",
    `1 validation error: ${path}: ${issue?.message ?? "invalid"}`,
    path,
  );
}

function requestOf(
  kind: EngineRequest["kind"],
  body: z.output<typeof chatBody> | z.output<typeof completionBody>,
  prompt: PromptTokens,
  maxTokens: number | null,
): EngineRequest {
  if ((body.n ?? 1) > 1)
    throw new VllmError(400, "BadRequestError", "this engine answers with one choice", "n");
  return {
    kind,
    model: body.model,
    prompt,
    maxTokens,
    ignoresEnd: body.ignore_eos === true,
    isStreaming: body.stream === true,
    includesUsage: body.stream_options?.include_usage === true,
    usageOnEveryChunk: body.stream_options?.continuous_usage_stats === true,
  };
}

/** The salt of the prefix identity: engines key the cache on adapter and client salt. */
function saltOf(model: string, cacheSalt: string | null | undefined): string {
  return `${model}\n${cacheSalt ?? ""}`;
}

/**
 * Reads a chat completion request.
 * @throws VllmError 400 that names the field
 */
export function parseChatRequest(text: string, blockTokens: number): EngineRequest {
  const body = parseBody(chatBody, text);
  const prompt = new PromptTokens(blockTokens, saltOf(body.model, body.cache_salt));
  if (body.tools !== null && body.tools !== undefined && body.tools.length > 0) {
    prompt.addText("<|tools|>");
    prompt.addText(JSON.stringify(body.tools));
  }
  for (const message of body.messages) {
    prompt.addText(`<|${message.role}|>`);
    if (typeof message.content === "string") prompt.addText(message.content);
    else {
      for (const part of message.content ?? []) prompt.addText(part.text ?? JSON.stringify(part));
    }
    if (message.tool_calls !== null && message.tool_calls !== undefined) {
      prompt.addText(JSON.stringify(message.tool_calls));
    }
  }
  prompt.addText("<|assistant|>");
  return requestOf("chat", body, prompt, body.max_completion_tokens ?? body.max_tokens ?? null);
}

/**
 * Reads a text completion request. vLLM's default of 16 tokens applies when the client sets no limit.
 * @throws VllmError 400 that names the field
 */
export function parseCompletionRequest(text: string, blockTokens: number): EngineRequest {
  const body = parseBody(completionBody, text);
  const prompt = new PromptTokens(blockTokens, saltOf(body.model, body.cache_salt));
  if (typeof body.prompt === "string") prompt.addText(body.prompt);
  else {
    for (const item of body.prompt) {
      if (typeof item === "number") prompt.addToken(item);
      else prompt.addText(item);
    }
  }
  if (prompt.tokens === 0) throw new VllmError(400, "BadRequestError", "prompt must not be empty", "prompt");
  return requestOf("completion", body, prompt, body.max_tokens ?? 16);
}
