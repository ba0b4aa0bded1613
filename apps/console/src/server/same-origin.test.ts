import { expect, test } from "vitest";
import { isForeignWrite } from "./same-origin.ts";

function request(method: string, headers: Record<string, string>): Request {
  return new Request("http://console.example/api", {
    method,
    headers: { host: "console.example", ...headers },
  });
}

test.each([
  ["POST", { "sec-fetch-site": "same-origin" }, false],
  ["POST", { "sec-fetch-site": "none" }, false],
  ["POST", { "sec-fetch-site": "cross-site" }, true],
  ["POST", { "sec-fetch-site": "same-site" }, true],
  ["POST", { origin: "http://console.example" }, false],
  ["POST", { origin: "https://evil.example" }, true],
  ["POST", { origin: "null" }, true],
  ["POST", {}, false],
  ["GET", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }, false],
])("%s with %j is foreign: %s", (method, headers, isForeign) => {
  expect(isForeignWrite(request(method, headers as Record<string, string>))).toBe(isForeign);
});
