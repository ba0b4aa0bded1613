import { createServer, type Server, type ServerResponse } from "node:http";
import type { Registry } from "prom-client";

export interface AdminDeps {
  readonly registry: Registry;
  /** Why the router should get no requests, null when it should. */
  readonly notReady: () => string | null;
}

/** The operators' side, on its own port: liveness, readiness, metrics. */
export function createAdminServer(deps: AdminDeps): Server {
  return createServer((request, response) => {
    const path = request.url?.split("?", 1)[0];
    if (request.method !== "GET" && request.method !== "HEAD") return send(response, 405, "GET only\n");
    switch (path) {
      case "/healthz":
        return send(response, 200, "alive\n");
      case "/readyz": {
        const reason = deps.notReady();
        return reason === null
          ? send(response, 200, "ready\n")
          : send(response, 503, `not ready: ${reason}\n`);
      }
      case "/metrics":
        deps.registry.metrics().then(
          (text) => send(response, 200, text, deps.registry.contentType),
          () => send(response, 500, "metrics could not be collected\n"),
        );
        return;
      default:
        send(response, 404, "paths: /healthz /readyz /metrics\n");
    }
  });
}

function send(
  response: ServerResponse,
  status: number,
  text: string,
  type = "text/plain; charset=utf-8",
): void {
  response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(text) });
  response.end(text);
}
