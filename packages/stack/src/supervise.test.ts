import { expect, test } from "vitest";
import { type Running, supervise } from "./supervise.ts";

/** A run under the test's control: end() makes it end by itself. */
function run(): Running & { end: (reason: string) => void } {
  const { promise, resolve } = Promise.withResolvers<string>();
  return {
    exited: promise,
    end: resolve,
    stop: async () => resolve("was stopped"),
    kill: () => resolve("was killed"),
  };
}

function track() {
  const runs: ReturnType<typeof run>[] = [];
  const notices: string[] = [];
  const waiting: (() => void)[] = [];
  return {
    runs,
    notices,
    start: async () => {
      const started = run();
      runs.push(started);
      for (const go of waiting.splice(0)) go();
      return started;
    },
    nextStart: () => new Promise<void>((go) => waiting.push(go)),
  };
}

test("what ends by itself is started again and the notice says why it ended", async () => {
  const { runs, notices, start, nextStart } = track();
  const supervised = await supervise({
    name: "router",
    start,
    onNotice: (text) => notices.push(text),
    backOffMs: 1,
  });
  const again = nextStart();
  runs[0]?.end("ended with exit code 7");
  await again;
  expect(runs).toHaveLength(2);
  expect(notices).toEqual(["router ended with exit code 7; starting it again in 0.001 s"]);
  await supervised.stop();
});

test("waits grow while starts keep failing", async () => {
  const notices: string[] = [];
  const { promise: recovered, resolve } = Promise.withResolvers<void>();
  const first = run();
  let starts = 0;
  const supervised = await supervise({
    name: "router",
    backOffMs: 1,
    onNotice: (text) => notices.push(text),
    start: async () => {
      starts++;
      if (starts === 1) return first;
      if (starts < 4) throw new Error("no memory");
      resolve();
      return run();
    },
  });
  first.end("was ended by SIGSEGV");
  await recovered;
  expect(notices.map((text) => /again in (.*) s/.exec(text)?.[1])).toEqual(["0.001", "0.002", "0.004"]);
  await supervised.stop();
});

test("what is stopped on purpose stays down and gives no notice", async () => {
  const { runs, notices, start } = track();
  const supervised = await supervise({
    name: "console",
    start,
    onNotice: (text) => notices.push(text),
    backOffMs: 1,
  });
  await supervised.stop();
  await new Promise((later) => setTimeout(later, 20));
  expect(runs).toHaveLength(1);
  expect(notices).toEqual([]);
  expect(supervised.current()).toBeNull();
});

test("paused it stays down until it is resumed", async () => {
  const { runs, start } = track();
  const supervised = await supervise({ name: "Postgres", start, onNotice: () => {}, backOffMs: 1 });
  await supervised.pause();
  expect(supervised.current()).toBeNull();
  await supervised.resume();
  expect(runs).toHaveLength(2);
  expect(supervised.current()).toBe(runs[1]);
  await supervised.stop();
});

test("an error of the first start reaches the caller", async () => {
  const start = () => Promise.reject(new Error("port in use"));
  await expect(supervise({ name: "router", start, onNotice: () => {} })).rejects.toThrow("port in use");
});
