import OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type SimFleet, startSimFleet } from "./sim-fleet.ts";

let fleet: SimFleet;

beforeAll(async () => {
  fleet = await startSimFleet({
    replicas: [{}, {}, { metricsGeneration: "old" }, { adapters: ["sql-lora"] }],
    speed: 20,
    model: "test/model",
  });
});

afterAll(async () => {
  await fleet.close();
});

function urlOf(index: number): string {
  return fleet.replicas[index]?.url ?? "";
}

function clientOf(index: number): OpenAI {
  return new OpenAI({ baseURL: `${urlOf(index)}/v1`, apiKey: "none", maxRetries: 0 });
}

async function metricsOf(index: number): Promise<string> {
  return (await fetch(`${urlOf(index)}/metrics`)).text();
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5));
}

const LONG = "a long prompt ".repeat(200);

test("the official client reads a chat answer and its usage", async () => {
  const answer = await clientOf(0).chat.completions.create({
    model: "test/model",
    messages: [{ role: "user", content: "hello" }],
    max_tokens: 7,
  });
  expect(answer.object).toBe("chat.completion");
  expect(answer.choices[0]?.finish_reason).toBe("length");
  expect(answer.choices[0]?.message.content).toHaveLength(28);
  expect(answer.usage).toMatchObject({ completion_tokens: 7, prompt_tokens_details: { cached_tokens: 0 } });
});

test("the official client reads a stream: role, one chunk per token, usage last", async () => {
  const stream = await clientOf(0).chat.completions.create({
    model: "test/model",
    messages: [{ role: "user", content: "hello stream" }],
    max_tokens: 5,
    stream: true,
    stream_options: { include_usage: true },
  });
  const chunks: OpenAI.ChatCompletionChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  expect(chunks[0]?.choices[0]?.delta).toEqual({ role: "assistant", content: "" });
  expect(chunks.slice(1, 6).every((chunk) => chunk.choices[0]?.delta.content?.length === 4)).toBe(true);
  expect(chunks[5]?.choices[0]?.finish_reason).toBe("length");
  expect(chunks.at(-1)?.choices).toEqual([]);
  expect(chunks.at(-1)?.usage?.completion_tokens).toBe(5);
});

test("without include_usage no chunk carries usage, and the stream still ends with [DONE]", async () => {
  const response = await fetch(`${urlOf(0)}/v1/completions`, {
    method: "POST",
    body: JSON.stringify({ model: "test/model", prompt: "once", max_tokens: 3, stream: true }),
  });
  const body = await response.text();
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  expect(body).not.toContain("usage");
  expect(body.match(/"object":"text_completion"/g)).toHaveLength(3);
  expect(body.endsWith("data: [DONE]\n\n")).toBe(true);
});

test("the next turn of a conversation finds the first one in the cache", async () => {
  const client = clientOf(1);
  const first = await client.chat.completions.create({
    model: "test/model",
    messages: [{ role: "user", content: LONG }],
    max_tokens: 64,
  });
  const next = await client.chat.completions.create({
    model: "test/model",
    messages: [
      { role: "user", content: LONG },
      { role: "assistant", content: first.choices[0]?.message.content ?? "" },
      { role: "user", content: "and then?" },
    ],
    max_tokens: 2,
  });
  const cached = next.usage?.prompt_tokens_details?.cached_tokens ?? 0;
  expect(cached).toBeGreaterThan((first.usage?.prompt_tokens ?? 0) + 32);
  expect(cached % 16).toBe(0);
});

test("an answer without a token limit ends by itself, equally long for equal prompts", async () => {
  const ask = async (): Promise<OpenAI.ChatCompletion> =>
    clientOf(0).chat.completions.create({
      model: "test/model",
      messages: [{ role: "user", content: "free" }],
    });
  const [one, two] = [await ask(), await ask()];
  expect(one.choices[0]?.finish_reason).toBe("stop");
  expect(two.choices[0]?.message.content).toBe(one.choices[0]?.message.content);
});

test("bad requests get vLLM's error body with the field's name", async () => {
  const post = async (body: string): Promise<{ status: number; error: unknown }> => {
    const response = await fetch(`${urlOf(0)}/v1/chat/completions`, { method: "POST", body });
    const parsed = JSON.parse(await response.text());
    return { status: response.status, error: parsed.error };
  };
  expect(await post("{")).toMatchObject({ status: 400, error: { type: "Bad Request", code: 400 } });
  expect(await post('{"model":"test/model"}')).toMatchObject({
    status: 400,
    error: { param: "body.messages" },
  });
  const messages = [{ role: "user", content: "x" }];
  expect(await post(JSON.stringify({ model: "nope", messages }))).toMatchObject({
    status: 404,
    error: { type: "NotFoundError", param: "model", message: "The model `nope` does not exist." },
  });
  expect(await post(JSON.stringify({ model: "test/model", messages, max_tokens: 200_000 }))).toMatchObject({
    status: 400,
    error: { param: "input_tokens" },
  });
});

test("unknown fields are ignored, as vLLM does", async () => {
  const response = await fetch(`${urlOf(0)}/v1/chat/completions`, {
    method: "POST",
    body: JSON.stringify({
      model: "test/model",
      messages: [{ role: "user", content: "x", extra: 1 }],
      max_tokens: 1,
      future_option: { deep: true },
    }),
  });
  expect(response.status).toBe(200);
});

test("health, version and models answer as an engine's", async () => {
  const health = await fetch(`${urlOf(0)}/health`);
  expect([health.status, await health.text()]).toEqual([200, ""]);
  expect(await (await fetch(`${urlOf(0)}/version`)).json()).toEqual({ version: "0.27.1" });
  const models = await clientOf(3).models.list();
  expect(models.data.map(({ id }) => id)).toEqual(["test/model", "sql-lora"]);
});

test("metrics carry the engine's real names, current and old", async () => {
  const current = await metricsOf(1);
  expect(current).toMatch(/^vllm:kv_cache_usage_perc\{engine="0",model_name="test\/model"\} /m);
  expect(current).toMatch(/^vllm:num_requests_running\{/m);
  expect(current).toMatch(/^vllm:prefix_cache_hits_total\{.*\} [1-9]/m);
  expect(current).toMatch(/^vllm:time_to_first_token_seconds_bucket\{.*le="\+Inf"\} [1-9]/m);
  expect(current).toMatch(/^vllm:inter_token_latency_seconds_count\{/m);
  expect(current).toMatch(/^vllm:cache_config_info\{.*block_size="16".*num_gpu_blocks="28600".*\} 1/m);
  const old = await metricsOf(2);
  expect(old).toMatch(/^vllm:gpu_cache_usage_perc\{model_name="test\/model"\} /m);
  expect(old).not.toContain("vllm:kv_cache_usage_perc");
});

test("an adapter is a model of its own, with its own cache", async () => {
  const client = clientOf(3);
  const messages = [{ role: "user" as const, content: LONG }];
  await client.chat.completions.create({ model: "test/model", messages, max_tokens: 1 });
  const adapted = await client.chat.completions.create({ model: "sql-lora", messages, max_tokens: 1 });
  expect(adapted.usage?.prompt_tokens_details?.cached_tokens).toBe(0);
  expect(await metricsOf(3)).toMatch(/^vllm:lora_requests_info\{max_lora="4"/m);
});

test("adapters are loaded and unloaded through vLLM's routes", async () => {
  const post = async (route: string, body: unknown): Promise<Response> =>
    fetch(`${urlOf(3)}/v1/${route}`, { method: "POST", body: JSON.stringify(body) });
  const load = { lora_name: "extra", lora_path: "/adapters/extra" };
  expect(await (await post("load_lora_adapter", load)).text()).toBe(
    "Success: LoRA adapter 'extra' added successfully.",
  );
  expect((await post("load_lora_adapter", load)).status).toBe(400);
  expect((await post("unload_lora_adapter", { lora_name: "extra" })).status).toBe(200);
  expect((await post("unload_lora_adapter", { lora_name: "extra" })).status).toBe(404);
});

test("a client that hangs up frees its place in the engine at once", async () => {
  const { id } = fleet.replicas[0] ?? { id: "" };
  const hangUp = new AbortController();
  const stream = await clientOf(0).chat.completions.create(
    {
      model: "test/model",
      messages: [{ role: "user", content: "for ever" }],
      max_tokens: 100_000,
      stream: true,
      ...{ ignore_eos: true },
    },
    { signal: hangUp.signal },
  );
  const iterator = stream[Symbol.asyncIterator]();
  await iterator.next();
  expect(fleet.state(id)).toMatchObject({ running: 1, openAnswers: 1 });
  hangUp.abort();
  await until(() => fleet.state(id).running === 0);
  expect(fleet.state(id)).toEqual({ running: 0, queueDepth: 0, kvOccupancy: 0, openAnswers: 0 });
  expect(await metricsOf(0)).toMatch(/finished_reason="abort"\} 1$/m);
});
