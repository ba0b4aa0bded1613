import { rename, symlink, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import {
  answer,
  CHAT_ANSWER,
  type HostileUpstream,
  startHostileUpstream,
} from "../testing/hostile-upstream.ts";
import {
  chatRequest,
  type RouterUnderTest,
  startRouterUnderTest,
  until,
} from "../testing/router-under-test.ts";

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function upstream(): Promise<HostileUpstream> {
  const started = await startHostileUpstream(({ socket }) => answer(socket, 200, CHAT_ANSWER));
  cleanups.push(() => started.close());
  return started;
}

async function routerOver(url: string): Promise<RouterUnderTest> {
  const router = await startRouterUnderTest({ replicas: [{ id: "r1", url }] });
  cleanups.push(() => router.close());
  return router;
}

async function servedBy(router: RouterUnderTest): Promise<string | null> {
  const response = await fetch(`${router.url}/v1/chat/completions`, chatRequest());
  await response.text();
  return response.headers.get("x-evenkeel-replica");
}

test("a new fleet file takes effect without a restart", async () => {
  const [first, second] = [await upstream(), await upstream()];
  const router = await routerOver(first.url);
  expect(await servedBy(router)).toBe("r1");
  await router.writeFleet([{ id: "r2", url: second.url }]);
  await until(async () => (await servedBy(router)) === "r2");
});

test("a wrong fleet file keeps the last good fleet and says which field is wrong", async () => {
  const router = await routerOver((await upstream()).url);
  await writeFile(router.fleetFile, "replicas:\n  - {id: r9, url: 'ftp://x', model: m, engine: vllm}\n");
  await until(() => router.logs.some((line) => String(line["msg"]).includes("replicas[0].url")));
  expect(await servedBy(router)).toBe("r1");
  await writeFile(router.fleetFile, "replicas: [\n");
  await until(() => router.logs.some((line) => String(line["msg"]).includes("not valid YAML")));
  expect(await servedBy(router)).toBe("r1");
});

/** Nine aliases of nine aliases, nine deep: a few hundred bytes that stand for hundreds of millions of values. */
function aliasBomb(): string {
  const lines = [`a0: &a0 [${Array(9).fill("x").join(", ")}]`];
  for (let depth = 1; depth < 9; depth++) {
    lines.push(
      `a${depth}: &a${depth} [${Array(9)
        .fill(`*a${depth - 1}`)
        .join(", ")}]`,
    );
  }
  return `${lines.join("\n")}\nreplicas: *a8\n`;
}

const withUrl = (url: string) => `replicas:\n  - {id: r9, url: ${url}, model: m, engine: vllm}\n`;

const WRONG_FILES: [string, string, RegExp][] = [
  ["an alias of nothing", withUrl("*prod"), /not valid YAML.*prod/],
  ["an alias bomb", aliasBomb(), /not valid YAML/],
  ["nesting without end", "[".repeat(20_000), /not valid YAML/],
  ["a port that does not exist", withUrl("http://127.0.0.1:99999"), /replicas\[0\]\.url/],
  ["an address that is none", withUrl('"http://[::zz]:1"'), /replicas\[0\]\.url/],
  ["a file too long to parse", `#${"x".repeat(5_000_000)}\n${withUrl("http://h:1")}`, /longer than/],
];

test.each(WRONG_FILES)(
  "%s in the running file costs nothing but a line in the log",
  async (_, text, said) => {
    const router = await routerOver((await upstream()).url);
    await writeFile(router.fleetFile, text);
    await until(() => router.logs.some((line) => said.test(String(line["msg"]))));
    expect(await servedBy(router)).toBe("r1");
  },
);

test("a wrong replica among good ones leaves all of the last good fleet in place", async () => {
  const [first, second] = [await upstream(), await upstream()];
  const router = await routerOver(first.url);
  await router.writeFleet([
    { id: "r2", url: second.url },
    { id: "r3", url: "http://127.0.0.1:99999" },
  ]);
  await until(() => router.logs.some((line) => String(line["msg"]).includes("replicas[1].url")));
  expect([await servedBy(router), await servedBy(router)]).toEqual(["r1", "r1"]);
  await router.writeFleet([{ id: "r2", url: second.url }]);
  await until(async () => (await servedBy(router)) === "r2");
});

test("a file replaced by rename or through a symlink is noticed", async () => {
  const [first, second, third] = [await upstream(), await upstream(), await upstream()];
  const router = await routerOver(first.url);
  const entry = (id: string, url: string) =>
    `replicas: [{id: ${id}, url: "${url}", model: m, engine: vllm}]\n`;
  await writeFile(join(router.folder, "next.yaml"), entry("r2", second.url));
  await rename(join(router.folder, "next.yaml"), router.fleetFile);
  await until(async () => (await servedBy(router)) === "r2");
  await writeFile(join(router.folder, "linked.yaml"), entry("r3", third.url));
  await unlink(router.fleetFile);
  await symlink("linked.yaml", router.fleetFile);
  await until(async () => (await servedBy(router)) === "r3");
});

test("a reload keeps the requests that run and the counters of the replicas that stay", async () => {
  const slow = await startHostileUpstream(({ socket, index }) => {
    if (index > 0) answer(socket, 200, CHAT_ANSWER);
  });
  cleanups.push(() => slow.close());
  const router = await routerOver(slow.url);
  const running = fetch(`${router.url}/v1/chat/completions`, chatRequest());
  const exchange = await slow.received(0);
  const other = await upstream();
  await router.writeFleet([
    { id: "r1", url: slow.url },
    { id: "r2", url: other.url },
  ]);
  await until(async () => (await servedBy(router)) === "r2");
  expect(await router.metric("evenkeel_in_flight")).toBe(1);
  await router.writeFleet([{ id: "r2", url: other.url }]);
  await until(async () => (await servedBy(router)) === "r2" && (await servedBy(router)) === "r2");
  answer(exchange.socket, 200, CHAT_ANSWER);
  expect(await (await running).text()).toBe(CHAT_ANSWER);
  await until(async () => (await router.metric("evenkeel_in_flight")) === 0);
});

test("a key variable that is not set is named, and the last good fleet stays", async () => {
  const { url } = await upstream();
  const router = await routerOver(url);
  await router.writeFleet([{ id: "r9", url, apiKeyEnv: "NO_SUCH_KEY" }]);
  await until(() => router.logs.some((line) => String(line["msg"]).includes("replicas[0].apiKeyEnv")));
  expect(await servedBy(router)).toBe("r1");
});

test("a router does not start on a wrong fleet file, and says why", async () => {
  await expect(startRouterUnderTest({ replicas: [{ id: "", url: "http://127.0.0.1:1" }] })).rejects.toThrow(
    /replicas\[0\]\.id/,
  );
});
