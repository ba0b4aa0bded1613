import fc from "fast-check";
import { expect, test } from "vitest";
import { framingProblem } from "./request-framing.ts";
import { requestHeadersFor } from "./request-headers.ts";
import { responseHeadersFor } from "./response-headers.ts";

const HOP_BY_HOP = [
  "Connection",
  "Keep-Alive",
  "Proxy-Connection",
  "Proxy-Authorization",
  "TE",
  "Trailer",
  "Transfer-Encoding",
  "Upgrade",
];
const INTERNAL = [
  "X-Evenkeel-Replica",
  "x-gateway-destination-endpoint",
  "X-Prefiller-Host-Port",
  "X-Data-Parallel-Rank",
  "x-override-bootstrap-host",
];

const caseless = (name: string) =>
  fc
    .array(fc.boolean(), { minLength: name.length, maxLength: name.length })
    .map((upper) => [...name].map((c, i) => (upper[i] ? c.toUpperCase() : c.toLowerCase())).join(""));
const name = fc.oneof(
  fc.constantFrom("Accept", "Content-Type", "X-Custom", "Cookie", "X-One", "X-Two"),
  fc.constantFrom(...HOP_BY_HOP, ...INTERNAL).chain(caseless),
);
const value = fc.oneof(
  fc.string({ unit: "binary-ascii" }),
  fc.constantFrom("X-One, x-two", "close", "a\r\nHost: evil"),
);
const raw = fc.array(fc.tuple(name, value)).map((fields) => fields.flat());

const namesOf = (headers: readonly string[]) =>
  headers.filter((_, i) => i % 2 === 0).map((n) => n.toLowerCase());

test("no hop-by-hop, Connection-named, internal or illegal header ever passes to a replica", () => {
  fc.assert(
    fc.property(raw, (headers) => {
      const forwarded = requestHeadersFor([...headers, "Connection", "X-One"], { set: [] });
      const names = namesOf(forwarded);
      for (const banned of [...HOP_BY_HOP, ...INTERNAL, "X-One"]) {
        expect(names).not.toContain(banned.toLowerCase());
      }
      expect(forwarded.join("")).not.toMatch(/[\r\n\0]/);
    }),
  );
});

test("no hop-by-hop or illegal header ever passes to a client, and our own names cannot be forged", () => {
  fc.assert(
    fc.property(raw, (headers) => {
      const relayed = responseHeadersFor(headers, ["x-evenkeel-replica", "r1"]);
      const names = namesOf(relayed);
      for (const banned of HOP_BY_HOP) {
        expect(names).not.toContain(banned.toLowerCase());
      }
      expect(names.filter((n) => n === "x-evenkeel-replica")).toHaveLength(1);
      expect(relayed.join("")).not.toMatch(/[\r\n\0]/);
    }),
  );
});

test("what passes keeps its order, spelling and duplicates", () => {
  const headers = ["Cookie", "a=1", "X-Custom", "1", "cookie", "b=2", "x-custom", "2"];
  expect(requestHeadersFor(headers, { set: [] })).toEqual(headers);
  expect(responseHeadersFor([...headers, "Content-Length", "5"], [])).toEqual([
    ...headers,
    "Content-Length",
    "5",
  ]);
});

test("set headers replace the client's, withheld ones go, and what belongs to the client's leg goes", () => {
  expect(
    requestHeadersFor(
      [
        "Host",
        "a",
        "Content-Length",
        "3",
        "Accept-Encoding",
        "gzip",
        "X-Request-Id",
        "old",
        "Authorization",
        "Bearer k",
      ],
      { set: ["x-request-id", "new"], withhold: new Set(["authorization"]) },
    ),
  ).toEqual(["x-request-id", "new"]);
});

test("every Connection header counts, whatever its case and spacing", () => {
  expect(
    requestHeadersFor(
      ["connection", " x-a ,X-B", "X-A", "1", "x-b", "2", "CONNECTION", "x-c", "X-C", "3", "X-D", "4"],
      {
        set: [],
      },
    ),
  ).toEqual(["X-D", "4"]);
});

test.each([
  [["Content-Length", "5", "Content-Length", "6"], "content-length"],
  [["Content-Length", "+5"], "content-length"],
  [["Content-Length", "5, 5"], "content-length"],
  [["Content-Length", "5", "Transfer-Encoding", "chunked"], "content-length"],
  [["Transfer-Encoding", "chunked, identity"], "transfer-encoding"],
  [["Transfer-Encoding", "chunked", "transfer-encoding", "chunked"], "transfer-encoding"],
  [["Host", "a", "host", "b"], "host"],
  [["X-A", "1\r\n 2"], "x-a"],
  [["X A", "1"], "headers"],
])("ambiguous framing %j is named", (headers, field) => {
  expect(framingProblem(headers)?.field).toBe(field);
});

test("ordinary framing has no problem", () => {
  expect(framingProblem(["Host", "a", "Content-Length", "5"])).toBeNull();
  expect(framingProblem(["Host", "a", "Transfer-Encoding", "Chunked"])).toBeNull();
});
