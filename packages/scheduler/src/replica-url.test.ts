import { expect, test } from "vitest";
import { isReplicaUrl } from "./replica-url.ts";

test.each([
  "http://10.0.0.1:8000",
  "https://engine.example",
  "https://engine.example./v/1/",
  "http://vllm_0.vllm-headless.ns.svc.cluster.local:65535",
  "http://[::1]:8000",
  "http://[2001:db8::10.0.0.1]:1",
  "http://[1:2:3:4:5:6:7:8]",
  "http://h:1/a%20b",
])("%s is a replica's URL", (url) => {
  expect(isReplicaUrl(url)).toBe(true);
});

test.each([
  "http://127.0.0.1:99999",
  "http://127.0.0.1:0",
  "http://127.0.0.1:",
  "http://[::zz]:1",
  "http://[1::2::3]:1",
  "http://[1:2:3]:1",
  "http://[1:2:3:4:5:6:7:8:9]:1",
  "http://[1:2:3:4:5:6:7::8]:1",
  "http://[::256.0.0.1]:1",
  "http://999.1.1.1:1",
  "http://1.2.3:1",
  "http://0x7f:1",
  "http://a..b:1",
  "http://-a:1",
  "http://a%41:1",
  "http://u:p@h",
  "http://h/?q",
  "http://h/#f",
  "http://h/a b",
  "http://h/a\\b",
  "http://h/\u0000",
  "http://h\n",
  "ftp://h",
  "10.0.0.1:8000",
  "",
])("%j is none", (url) => {
  expect(isReplicaUrl(url)).toBe(false);
});
