import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freePort } from "./free-port.ts";
import { startNodeChild, untilAnswers } from "./node-child.ts";
import { isRunning, waitUntil } from "./running-process.ts";

function child(script: string, name = "server") {
  return startNodeChild({ name, args: ["-e", script], cwd: import.meta.dirname, env: {}, onLine: () => {} });
}

test("a server is ready when it answers, and gone after stop", async () => {
  const port = await freePort();
  const server = child(`require("http").createServer((_, r) => r.end()).listen(${port}, "127.0.0.1")`);
  await untilAnswers(server, `http://127.0.0.1:${port}/`);
  await server.stop();
  expect(isRunning(server.pid)).toBe(false);
});

test("a child that ends instead of answering is an error with its exit code and its last words", async () => {
  const server = child(`console.error("FLEET_FILE: replicas[0].url is missing"); process.exit(3)`, "router");
  await expect(untilAnswers(server, "http://127.0.0.1:9/")).rejects.toMatchObject({
    code: "child_exited",
    message: expect.stringMatching(/router ended with exit code 3[\s\S]*replicas\[0\]\.url is missing/),
  });
});

test("a child that ignores SIGTERM is ended all the same", async () => {
  const stubborn = child(`process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.log("up")`);
  await waitUntil(() => stubborn.lastLines() === "up", 10_000);
  await stubborn.stop(50);
  expect(await stubborn.exited).toBe("was ended by SIGKILL");
});

test("a child does not outlive a parent that was killed", async () => {
  const module = JSON.stringify(join(import.meta.dirname, "node-child.ts"));
  const script = `
    const { startNodeChild } = await import(${module});
    const { pid } = startNodeChild({ name: "x", args: ["-e", "setInterval(() => {}, 1000)"], cwd: "/", env: {}, onLine() {} });
    console.log(pid);`;
  const parent = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const pid = await new Promise<number>((done) => parent.stdout.once("data", (chunk) => done(Number(chunk))));
  expect(isRunning(pid)).toBe(true);
  parent.kill("SIGKILL");
  expect(await waitUntil(() => !isRunning(pid), 10_000)).toBe(true);
});
