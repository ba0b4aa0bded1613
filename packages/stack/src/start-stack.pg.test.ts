import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterEach, expect, test } from "vitest";
import { freePort } from "./free-port.ts";
import { type StackSettings, stackSettings } from "./stack-settings.ts";
import { type Stack, startStack } from "./start-stack.ts";

const opened: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

function settings(variables: Record<string, string> = {}): StackSettings {
  const dataDir = mkdtempSync(join(tmpdir(), "evenkeel-stack-"));
  chmodSync(dataDir, 0o755);
  if (!process.env.KEEP) opened.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const own = {
    DATA_DIR: dataDir,
    ROUTER_PORT: "0",
    ROUTER_ADMIN_PORT: "0",
    SIM_REPLICAS: "2",
    SIM_LOAD: "0",
  };
  return { ...stackSettings({ ...own, ...variables }), consolePort: null };
}

async function start(wanted: StackSettings): Promise<Stack> {
  const stack = await startStack(wanted);
  opened.push(stack.stop);
  return stack;
}

function ask(stack: Stack): Promise<Response> {
  return fetch(`${stack.routerUrl}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      model: stack.simulation?.models[0],
      max_tokens: 4,
      messages: [{ role: "user", content: "Hello" }],
    }),
  });
}

test("a request through the started system is answered and its decision arrives in the database", async () => {
  const stack = await start(settings());
  const answer = await ask(stack);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ usage: { completion_tokens: 4 } });
  expect(["r-01", "r-02"]).toContain(answer.headers.get("x-evenkeel-replica"));
  expect(answer.headers.get("x-evenkeel-decision")).toMatch(/^dec_/);

  const sql = postgres(stack.databaseUrl, { max: 1 });
  opened.push(() => sql.end());
  await expect
    .poll(async () => (await sql`select count(*)::int as n from decisions`)[0]?.n, { timeout: 20_000 })
    .toBe(1);
}, 60_000);

test("stopping leaves nothing listening, and a second start goes on with the data", async () => {
  const wanted = settings();
  const first = await start(wanted);
  const ports = [first.routerUrl, first.adminUrl, first.databaseUrl].map((url) => Number(new URL(url).port));
  const sql = postgres(first.databaseUrl, { max: 1 });
  await sql`create table kept as select 7 as n`;
  await sql.end();
  await first.stop();
  for (const port of ports) expect(await freePort(port)).toBe(port);

  const second = await start(wanted);
  const again = postgres(second.databaseUrl, { max: 1 });
  expect([...(await again`select n from kept`)]).toEqual([{ n: 7 }]);
  await again.end();
}, 90_000);

test("while the database is stopped requests are answered, and what was decided arrives when it is back", async () => {
  const stack = await start(settings());
  await stack.database?.pause();
  const answer = await ask(stack);
  expect(answer.status).toBe(200);
  await stack.database?.resume();
  const sql = postgres(stack.databaseUrl, { max: 1 });
  opened.push(() => sql.end());
  await expect
    .poll(async () => (await sql`select count(*)::int as n from decisions`)[0]?.n, { timeout: 30_000 })
    .toBe(1);
}, 90_000);

test("a port in use stops the start before anything runs and names the variable", async () => {
  const stack = await start(settings());
  const taken = new URL(stack.routerUrl).port;
  await expect(startStack(settings({ ROUTER_PORT: taken }))).rejects.toMatchObject({
    code: "port_in_use",
    message: expect.stringContaining("ROUTER_PORT"),
  });
}, 60_000);

test("a fault in the fleet file stops the start with the router's own words", async () => {
  const wanted = settings({ FLEET_FILE: join(import.meta.dirname, "stack-settings.ts") });
  await expect(startStack(wanted)).rejects.toMatchObject({
    code: "child_exited",
    message: expect.stringContaining("stack-settings.ts"),
  });
  expect(readFileSync(join(wanted.dataDir, "logs", "router.log"), "utf8")).toContain("stack-settings.ts");
}, 60_000);
