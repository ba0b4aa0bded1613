import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { startLoad } from "./load-generator.ts";
import { LOAD_PROFILES } from "./load-profile.ts";
import { startSimFleet } from "./sim-fleet.ts";

const quick = { ...LOAD_PROFILES.chat, thinkMs: 5, abortShare: 0, meanTurns: 3 };

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5));
}

test("sessions have several turns that find each other in the cache, and stop leaves nothing open", async () => {
  const fleet = await startSimFleet({ replicas: 1, speed: 50, model: "test/model" });
  const load = startLoad({
    url: fleet.replicas[0]?.url ?? "",
    model: "test/model",
    rate: 60,
    seed: 3,
    profile: quick,
  });
  await until(() => load.statistics.completed >= 30);
  await load.stop();
  const { statistics } = load;
  await until(() => fleet.state("r1").openAnswers === 0);
  expect(statistics.failed).toBe(0);
  expect(statistics.cachedTokens).toBeGreaterThan(0);
  expect(statistics.ttftMs?.p50).toBeGreaterThan(0);
  expect(statistics.inFlight).toBe(0);
  await fleet.close();
});

test("every request carries its session's key, and equal seeds give equal sessions", async () => {
  const collect = async (): Promise<string[]> => {
    const seen: string[] = [];
    const keyOf = (headers: IncomingHttpHeaders): string => String(headers["x-session-id"]);
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (piece) => {
        body += String(piece);
      });
      request.on("end", () => {
        seen.push(`${keyOf(request.headers)} ${body}`);
        response.end('data: {"choices":[{"delta":{"content":"ok"}}]}\n\ndata: [DONE]\n\n');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    // The address of a listening TCP server is never a string or null.
    const { port } = server.address() as AddressInfo;
    const load = startLoad({
      url: `http://127.0.0.1:${port}`,
      model: "m",
      rate: 400,
      seed: 5,
      profile: quick,
    });
    await until(() => seen.some((line) => line.startsWith("session-5-4 ")));
    await load.stop();
    await new Promise((resolve) => server.close(resolve));
    return seen.filter((line) => /^session-5-[1-3] /.test(line)).map((line) => line.slice(0, 4000));
  };
  const [one, two] = [await collect(), await collect()];
  const firstOf = (lines: readonly string[], session: number): string | undefined =>
    lines.find((line) => line.startsWith(`session-5-${session} `));
  for (const session of [1, 2, 3]) expect(firstOf(one, session)).toBe(firstOf(two, session));
  expect(firstOf(one, 1)).toContain('"role":"system"');
});

test("failures are counted by cause, and the concurrency bound skips sessions instead of piling up", async () => {
  const fleet = await startSimFleet({ replicas: 1, speed: 50, model: "test/model" });
  const url = fleet.replicas[0]?.url ?? "";
  await fleet.fault("r1", { kind: "overload" });
  const failing = startLoad({ url, model: "test/model", rate: 200, profile: quick });
  await until(() => failing.statistics.failed >= 3);
  await failing.stop();
  expect(failing.statistics.errors["HTTP 503"]).toBe(failing.statistics.failed);
  await fleet.fault("r1", { kind: "clear" });
  await fleet.fault("r1", { kind: "freeze" });
  const bounded = startLoad({ url, model: "test/model", rate: 400, profile: quick, maxConcurrency: 2 });
  await until(() => bounded.statistics.skipped >= 3);
  expect(bounded.statistics.inFlight).toBe(2);
  await bounded.stop();
  await fleet.close();
});
