import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "@evenkeel/stack/free-port";
import { startProgram, versionOf } from "./program.ts";
import type { Target } from "./target.ts";

/** HAProxy with one thread and health checks; no access log, which is in its favour. */
export const haproxy: Target = {
  name: "haproxy",
  describe: () =>
    `HAProxy ${versionOf(["haproxy", "-v"], /version (\S+)/)}, one thread, roundrobin, reuse of connections, no log`,
  missing: () =>
    versionOf(["haproxy", "-v"], /version (\S+)/) === null ? "not installed (Debian package haproxy)" : null,
  start: async ({ replicaPorts, folder, core }) => {
    const port = await freePort();
    const file = join(folder, "haproxy.cfg");
    writeFileSync(file, configuration(port, replicaPorts));
    const program = await startProgram({ command: ["haproxy", "-db", "-f", file], core, folder, port });
    return { ports: [port], database: null, ...program };
  },
};

function configuration(port: number, replicaPorts: readonly number[]): string {
  const servers = replicaPorts.map(
    (replica, index) => `  server r${index + 1} 127.0.0.1:${replica} check inter 2s`,
  );
  return `global
  nbthread 1
  maxconn 8000
defaults
  mode http
  option http-keep-alive
  timeout connect 5s
  timeout client 300s
  timeout server 300s
frontend clients
  bind 127.0.0.1:${port}
  default_backend replicas
backend replicas
  balance roundrobin
  http-reuse always
  option httpchk GET /health
${servers.join("\n")}
`;
}
