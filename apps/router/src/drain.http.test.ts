import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  beginStream,
  endStream,
  type HostileUpstream,
  sendChunk,
  startHostileUpstream,
  tokenEvent,
} from "./testing/hostile-upstream.ts";
import { chatRequest, until } from "./testing/router-under-test.ts";

let folder: string;
let replica: HostileUpstream;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "evenkeel-drain-"));
  replica = await startHostileUpstream(({ socket }) => {
    beginStream(socket);
    sendChunk(socket, tokenEvent("begun"));
  });
  await writeFile(
    join(folder, "fleet.yaml"),
    `replicas: [{id: r1, url: "${replica.url}", model: m, engine: vllm}]\n`,
  );
});
afterEach(async () => {
  await replica.close();
  await rm(folder, { recursive: true, force: true });
});

interface Child {
  readonly url: string;
  readonly adminUrl: string;
  signal(name: NodeJS.Signals): void;
  readonly exitCode: Promise<number | null>;
}

async function startProcess(environment: Record<string, string> = {}): Promise<Child> {
  const child = spawn(process.execPath, [fileURLToPath(new URL("main.ts", import.meta.url))], {
    env: {
      PATH: process.env["PATH"] ?? "",
      ROUTER_PORT: "0",
      ROUTER_ADMIN_PORT: "0",
      FLEET_FILE: join(folder, "fleet.yaml"),
      DATA_DIR: join(folder, "data"),
      ...environment,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exitCode = new Promise<number | null>((resolve) => child.once("exit", resolve));
  for await (const line of createInterface(child.stdout)) {
    const entry = JSON.parse(line);
    if (entry.event !== "listening") continue;
    child.stdout.resume();
    return {
      url: `http://127.0.0.1:${entry.port}`,
      adminUrl: `http://127.0.0.1:${entry.adminPort}`,
      signal: (name) => child.kill(name),
      exitCode,
    };
  }
  throw new Error(`the router exited with ${await exitCode} before it listened`);
}

async function refusesConnections(url: string): Promise<boolean> {
  return fetch(url).then(
    () => false,
    () => true,
  );
}

test("SIGTERM: unready, no new connections, running streams finish, exit 0", async () => {
  const router = await startProcess();
  const response = await fetch(`${router.url}/v1/chat/completions`, chatRequest({ stream: true }));
  const exchange = await replica.received(0);
  router.signal("SIGTERM");
  await until(async () => (await fetch(`${router.adminUrl}/readyz`)).status === 503);
  await until(() => refusesConnections(`${router.url}/v1/models`));
  sendChunk(exchange.socket, `${tokenEvent("finished")}data: [DONE]\n\n`);
  endStream(exchange.socket);
  expect(await response.text()).toBe(`${tokenEvent("begun")}${tokenEvent("finished")}data: [DONE]\n\n`);
  expect(await router.exitCode).toBe(0);
});

test("a stream that outlasts the drain limit is cut, visibly, and the router still exits 0", async () => {
  const router = await startProcess({ ROUTER_DRAIN_MS: "100" });
  const response = await fetch(`${router.url}/v1/chat/completions`, chatRequest({ stream: true }));
  await replica.received(0);
  router.signal("SIGTERM");
  await expect(response.text()).rejects.toThrow();
  expect(await router.exitCode).toBe(0);
});

test("a second signal ends the router at once", async () => {
  const router = await startProcess();
  const response = await fetch(`${router.url}/v1/chat/completions`, chatRequest({ stream: true }));
  await replica.received(0);
  router.signal("SIGTERM");
  await until(async () => (await fetch(`${router.adminUrl}/readyz`)).status === 503);
  router.signal("SIGTERM");
  await expect(response.text()).rejects.toThrow();
  expect(await router.exitCode).toBe(1);
});

test("a router without a fleet file says which variable is missing and exits 2", async () => {
  const child = spawn(process.execPath, [fileURLToPath(new URL("main.ts", import.meta.url))], {
    env: { PATH: process.env["PATH"] ?? "" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect(stderr).toContain("FLEET_FILE is not set");
  expect(code).toBe(2);
});
