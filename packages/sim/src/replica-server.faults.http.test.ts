import { afterEach, beforeEach, expect, test } from "vitest";
import { type SimFleet, startSimFleet } from "./sim-fleet.ts";

let fleet: SimFleet;

beforeEach(async () => {
  fleet = await startSimFleet({ replicas: 1, speed: 20, model: "test/model" });
});

afterEach(async () => {
  await fleet.close();
});

async function ask(maxTokens = 20, prompt = "hello"): Promise<Response> {
  return fetch(`${fleet.replicas[0]?.url}/v1/completions`, {
    method: "POST",
    body: JSON.stringify({
      model: "test/model",
      prompt,
      max_tokens: maxTokens,
      stream: true,
      ignore_eos: true,
    }),
  });
}

/** The error code under a failed fetch. */
async function causeOf(promise: Promise<unknown>): Promise<unknown> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  const cause = error instanceof Error ? error.cause : null;
  return cause instanceof Error && "code" in cause ? cause.code : error;
}

test("refuse: connections are refused, and accepted on the same port after clear", async () => {
  await fleet.fault("r1", { kind: "refuse" });
  expect(await causeOf(ask())).toBe("ECONNREFUSED");
  await fleet.fault("r1", { kind: "clear" });
  expect((await ask()).status).toBe(200);
});

test("a fault with a duration ends by itself", async () => {
  await fleet.fault("r1", { kind: "refuse", durationMs: 50 });
  let status = 0;
  while (status !== 200) {
    status = await ask().then(
      (response) => response.status,
      () => 0,
    );
  }
  expect(status).toBe(200);
});

test("crash: open streams break and the cache is lost", async () => {
  const prompt = "cached prompt ".repeat(100);
  await (await ask(1, prompt)).text();
  const open = await ask(5000, prompt);
  await fleet.fault("r1", { kind: "crash" });
  await expect(open.text()).rejects.toThrow();
  await fleet.fault("r1", { kind: "clear" });
  await (await ask(1, prompt)).text();
  const page = await (await fetch(`${fleet.replicas[0]?.url}/metrics`)).text();
  expect(page).toMatch(/^vllm:prefix_cache_hits_total\{.*\} 0$/m);
});

test("stall: the headers come, the first token only after the fault's time", async () => {
  await fleet.fault("r1", { kind: "stall", ms: 60 });
  const startedAt = performance.now();
  const response = await ask(3);
  expect(response.status).toBe(200);
  expect(await response.text()).toContain("[DONE]");
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(59);
});

test("reset: the stream breaks after the tokens asked for, without a proper end", async () => {
  await fleet.fault("r1", { kind: "reset", afterTokens: 3 });
  const response = await ask(50);
  let received = "";
  const reading = (async () => {
    for await (const piece of response.body ?? []) received += new TextDecoder().decode(piece);
  })();
  await expect(reading).rejects.toThrow();
  expect(received).not.toContain("[DONE]");
  expect(fleet.state("r1").running).toBe(0);
});

test("reset before the first byte: no response at all", async () => {
  await fleet.fault("r1", { kind: "reset", afterTokens: 0 });
  expect(await causeOf(ask())).toMatch(/ECONNRESET|UND_ERR_SOCKET/);
});

test("overload answers 503 and error answers 500, in vLLM's error body", async () => {
  await fleet.fault("r1", { kind: "overload" });
  const overloaded = await ask();
  expect([overloaded.status, await overloaded.json()]).toMatchObject([503, { error: { code: 503 } }]);
  await fleet.fault("r1", { kind: "clear" });
  await fleet.fault("r1", { kind: "error" });
  const failed = await ask();
  expect([failed.status, await failed.json()]).toMatchObject([
    500,
    { error: { type: "InternalServerError" } },
  ]);
});

test("freeze: a stream stands still until the fault is cleared, then completes", async () => {
  await fleet.fault("r1", { kind: "freeze" });
  const response = await ask(2);
  expect(fleet.state("r1")).toMatchObject({ queueDepth: 1, running: 0 });
  await fleet.fault("r1", { kind: "clear" });
  expect(await response.text()).toContain("[DONE]");
});

test("faults are set over HTTP too; a wrong one is refused with the field's name", async () => {
  const post = async (body: unknown): Promise<Response> =>
    fetch(`${fleet.replicas[0]?.url}/sim/faults`, { method: "POST", body: JSON.stringify(body) });
  expect((await post({ kind: "overload" })).status).toBe(200);
  expect((await ask()).status).toBe(503);
  const wrong = await post({ kind: "slow", factor: -1 });
  expect([wrong.status, await wrong.json()]).toMatchObject([400, { problems: [{ path: ["factor"] }] }]);
});

test("an unknown replica is named in the error", async () => {
  await expect(fleet.fault("r9", { kind: "clear" })).rejects.toThrow(/r9.*there are: r1/);
});
