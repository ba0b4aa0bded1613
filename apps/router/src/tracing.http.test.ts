import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { answer, CHAT_ANSWER, startHostileUpstream } from "./testing/hostile-upstream.ts";
import { chatRequest, startRouterUnderTest } from "./testing/router-under-test.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly { key: string; value: Record<string, unknown> }[];
}

/** A collector that keeps what it is sent. */
async function collector(): Promise<{ url: string; bodies: string[]; spans: () => Span[] }> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      bodies.push(Buffer.concat(chunks).toString());
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanups.push(() => server.close());
  return {
    // A listening TCP server's address is an object.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    spans: () =>
      bodies.flatMap((body) =>
        JSON.parse(body).resourceSpans.flatMap((resource: { scopeSpans: { spans: Span[] }[] }) =>
          resource.scopeSpans.flatMap(({ spans }) => spans),
        ),
      ),
  };
}

test("a request becomes a span with its decision and one per attempt, in the client's trace, without the prompt", async () => {
  const to = await collector();
  const bad = await startHostileUpstream(({ socket }) => socket.resetAndDestroy());
  const good = await startHostileUpstream(({ socket }) => answer(socket, 200, CHAT_ANSWER));
  cleanups.push(() => good.close());
  cleanups.push(() => bad.close());
  const router = await startRouterUnderTest({
    replicas: [
      { id: "r1", url: bad.url },
      { id: "r2", url: good.url },
    ],
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: to.url },
  });
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const decisions: (string | null)[] = [];
  for (let round = 0; round < 2; round++) {
    const response = await fetch(
      `${router.url}/v1/chat/completions`,
      chatRequest({ user: "alice" }, { traceparent }),
    );
    await response.text();
    decisions.push(response.headers.get("x-evenkeel-decision"));
  }
  await router.close();
  const spans = to.spans();
  const roots = spans.filter(({ parentSpanId }) => parentSpanId === "b7ad6b7169203331");
  const idOf = ({ attributes }: Span) =>
    attributes.find(({ key }) => key === "evenkeel.decision.id")?.value["stringValue"];
  expect(roots.map(idOf).sort()).toEqual([...decisions].sort());
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set(["0af7651916cd43dd8448eb211c80319c"]));
  const attempts = spans.filter(({ name }) => name.startsWith("attempt "));
  expect(new Set(attempts.map(({ name }) => name))).toEqual(new Set(["attempt r1", "attempt r2"]));
  for (const { parentSpanId } of attempts) expect(roots.map(({ spanId }) => spanId)).toContain(parentSpanId);
  expect(to.bodies.join()).not.toMatch(/Hello|alice/);
});

test("nothing is traced unless a collector is named", async () => {
  const to = await collector();
  const good = await startHostileUpstream(({ socket }) => answer(socket, 200, CHAT_ANSWER));
  cleanups.push(() => good.close());
  const router = await startRouterUnderTest({ replicas: [{ id: "r1", url: good.url }] });
  await (await fetch(`${router.url}/v1/chat/completions`, chatRequest())).text();
  await router.close();
  expect(to.bodies).toEqual([]);
});
