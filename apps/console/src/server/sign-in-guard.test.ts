import { expect, test } from "vitest";
import { signInGuard } from "./sign-in-guard.ts";

/** Checks after a moment, as the library does with its slow hash; counts what reached it. */
function library(answer: (request: Request) => number) {
  const reached: string[] = [];
  const handle = async (request: Request): Promise<Response> => {
    reached.push(new URL(request.url).pathname);
    await new Promise((resolve) => setImmediate(resolve));
    return new Response(null, { status: answer(request) });
  };
  return { reached, handle };
}

function post(path: string, body: string, type: string | null = "application/json"): Request {
  return new Request(`http://console.example/api/auth${path}`, {
    method: "POST",
    headers: type === null ? {} : { "content-type": type },
    body: new TextEncoder().encode(body),
  });
}

const wrong = (email: string, path = "/sign-in/email") =>
  post(path, JSON.stringify({ email, password: "not the password" }));

test.each([
  ["application/x-www-form-urlencoded", "email=a%40example.com&password=x"],
  ["multipart/form-data; boundary=b", "--b\r\n--b--"],
  ["text/plain", "{}"],
  ["application/vnd.api+json", "{}"],
  [null, "{}"],
])("a body of type %j is refused with 415 and never reaches the password check", async (type, body) => {
  const { reached, handle } = library(() => 401);
  for (const path of ["/sign-in/email", "/sign-out", "/change-password"]) {
    expect((await signInGuard(post(path, body, type), handle)).status).toBe(415);
  }
  expect(reached).toEqual([]);
});

test("JSON with a charset is taken", async () => {
  const { handle } = library(() => 200);
  const request = post("/sign-out", "{}", "Application/JSON; charset=utf-8");
  expect((await signInGuard(request, handle)).status).toBe(200);
});

test("of forty wrong passwords sent at once, eight are checked", async () => {
  const { reached, handle } = library(() => 401);
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => signInGuard(wrong("at-once@example.com"), handle)),
  );
  const statuses = answers.map((answer) => answer.status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(8);
  expect(statuses.filter((status) => status === 429)).toHaveLength(32);
  expect(reached).toHaveLength(8);
});

test("spelling the account or the path differently does not begin a new count", async () => {
  const { reached, handle } = library(() => 401);
  for (let i = 0; i < 10; i += 1) {
    await signInGuard(wrong(i % 2 === 0 ? "Spelt@Example.com" : "spelt@example.com"), handle);
    await signInGuard(wrong("spelt@example.com", "/sign-in/email/"), handle);
  }
  expect(reached).toHaveLength(8);
});

test("answers that say nothing about the password are not counted", async () => {
  const away = library(() => 503);
  for (let i = 0; i < 20; i += 1) await signInGuard(wrong("away@example.com"), away.handle);
  expect(away.reached).toHaveLength(20);
  const broken = () => Promise.reject(new Error("the library failed"));
  for (let i = 0; i < 20; i += 1) {
    await expect(signInGuard(wrong("away@example.com"), broken)).rejects.toThrow("the library failed");
  }
  const back = library(() => 200);
  expect((await signInGuard(wrong("away@example.com"), back.handle)).status).toBe(200);
});

test("the right password gives all attempts back", async () => {
  const { handle } = library(() => 401);
  for (let i = 0; i < 7; i += 1) await signInGuard(wrong("right@example.com"), handle);
  const right = library(() => 200);
  expect((await signInGuard(wrong("right@example.com"), right.handle)).status).toBe(200);
  for (let i = 0; i < 8; i += 1) {
    expect((await signInGuard(wrong("right@example.com"), handle)).status).toBe(401);
  }
});
