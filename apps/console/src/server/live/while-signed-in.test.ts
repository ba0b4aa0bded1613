import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { whileSignedIn } from "./while-signed-in.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A stream that never says anything by itself and ends when told. */
async function* silence(signal: AbortSignal): AsyncGenerator<string> {
  yield "first";
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

const ended = () => new Error("signed out");

test("a silent stream ends within half a minute of its viewer's session", async () => {
  let isSignedIn = true;
  const events = whileSignedIn(silence, () => Promise.resolve(isSignedIn), undefined, ended);
  expect(await events.next()).toMatchObject({ value: "first" });
  const next = events.next();
  const outcome = expect(next).rejects.toThrow("signed out");
  await vi.advanceTimersByTimeAsync(120_000);
  isSignedIn = false;
  await vi.advanceTimersByTimeAsync(30_000);
  await outcome;
  expect(vi.getTimerCount()).toBe(0);
});

test("a stream stays open while nobody can say whether its viewer is signed in", async () => {
  let answer: () => Promise<boolean> = () => Promise.reject(new Error("the database is away"));
  const end = new AbortController();
  const events = whileSignedIn(silence, () => answer(), end.signal, ended);
  await events.next();
  let isOver = false;
  const next = events.next().finally(() => {
    isOver = true;
  });
  await vi.advanceTimersByTimeAsync(90_000);
  answer = () => Promise.resolve(true);
  await vi.advanceTimersByTimeAsync(90_000);
  expect(isOver).toBe(false);
  end.abort();
  expect(await next).toMatchObject({ done: true });
  expect(vi.getTimerCount()).toBe(0);
});

test("a question that hangs is not asked again beside itself", async () => {
  const ask = vi.fn(() => new Promise<boolean>(() => {}));
  const end = new AbortController();
  const events = whileSignedIn(silence, ask, end.signal, ended);
  await events.next();
  const next = events.next();
  await vi.advanceTimersByTimeAsync(300_000);
  expect(ask).toHaveBeenCalledTimes(1);
  end.abort();
  await next;
});
