import { type SimFleet, startSimFleet } from "@evenkeel/sim/sim-fleet";
import OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RouterUnderTest, startRouterUnderTest, until } from "./testing/router-under-test.ts";

let fleet: SimFleet;
let router: RouterUnderTest;
let client: OpenAI;
let model: string;
beforeAll(async () => {
  fleet = await startSimFleet({ replicas: 3, speed: 20, seed: 7 });
  model = fleet.replicas[0]?.model ?? "";
  router = await startRouterUnderTest({
    replicas: fleet.replicas.map(({ id, url }) => ({ id, url, model })),
    policy: { strategy: { type: "predicted-cost" } },
  });
  client = new OpenAI({ baseURL: `${router.url}/v1`, apiKey: "unused", maxRetries: 0 });
});
afterAll(async () => {
  await router.close();
  await fleet.close();
});

test("the official client streams a chat completion through the router", async () => {
  const stream = await client.chat.completions.create({
    model,
    stream: true,
    stream_options: { include_usage: true },
    max_completion_tokens: 20,
    messages: [{ role: "user", content: "Say something" }],
  });
  let text = "";
  let completionTokens = 0;
  for await (const chunk of stream) {
    text += chunk.choices[0]?.delta.content ?? "";
    completionTokens = chunk.usage?.completion_tokens ?? completionTokens;
  }
  expect(text.length).toBeGreaterThan(0);
  expect(completionTokens).toBe(20);
});

test("the official client gets whole chat and text completions", async () => {
  const chat = await client.chat.completions.create({
    model,
    max_completion_tokens: 5,
    messages: [{ role: "user", content: "Say something" }],
  });
  expect(chat.choices[0]?.message.content).toBeTruthy();
  const completion = await client.completions.create({ model, prompt: "Once upon", max_tokens: 5 });
  expect(completion.choices[0]?.text).toBeTruthy();
});

test("the official client lists the models of the fleet", async () => {
  const models = await client.models.list();
  expect(models.data.map(({ id }) => id)).toContain(model);
});

test("the official client sees the router's errors as its own exceptions", async () => {
  const request = client.chat.completions.create({
    model: "nope",
    messages: [{ role: "user", content: "x" }],
  });
  await expect(request).rejects.toMatchObject({ status: 404, code: "unknown_model" });
});

test("the official client's abort frees the replica", async () => {
  const stream = await client.chat.completions.create({
    model,
    stream: true,
    max_completion_tokens: 4000,
    messages: [{ role: "user", content: "Never stop" }],
  });
  for await (const _chunk of stream) break;
  stream.controller.abort();
  await until(async () => (await router.metric("evenkeel_in_flight")) === 0);
  await until(() => fleet.replicas.every(({ id }) => fleet.state(id).openAnswers === 0));
});

test("a stream cut by a replica's fault reaches the official client as an error", async () => {
  for (const { id } of fleet.replicas) await fleet.fault(id, { kind: "reset", afterTokens: 40 });
  const stream = await client.chat.completions.create({
    model,
    stream: true,
    max_completion_tokens: 400,
    messages: [{ role: "user", content: "Break" }],
  });
  const read = async () => {
    for await (const _chunk of stream);
  };
  await expect(read()).rejects.toThrow();
  for (const { id } of fleet.replicas) await fleet.fault(id, { kind: "clear" });
});
