import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "@evenkeel/stack/free-port";
import { startProgram, versionOf } from "./program.ts";
import type { Target } from "./target.ts";

const NGINX = "/usr/sbin/nginx";

/** nginx with one worker; answers unbuffered, as streams need it; no access log, which is in its favour. */
export const nginx: Target = {
  name: "nginx",
  describe: () =>
    `nginx ${versionOf([NGINX, "-v"], /nginx\/(\S+)/)}, one worker, round robin, upstream keep-alive, proxy_buffering off, no log`,
  missing: () =>
    versionOf([NGINX, "-v"], /nginx\/(\S+)/) === null ? "not installed (Debian package nginx-light)" : null,
  start: async ({ replicaPorts, folder, core }) => {
    const port = await freePort();
    const file = join(folder, "nginx.conf");
    mkdirSync(join(folder, "temporary"));
    writeFileSync(file, configuration(port, replicaPorts, folder));
    const program = await startProgram({ command: [NGINX, "-c", file, "-p", folder], core, folder, port });
    return { ports: [port], database: null, ...program };
  },
};

function configuration(port: number, replicaPorts: readonly number[], folder: string): string {
  const servers = replicaPorts.map((replica) => `    server 127.0.0.1:${replica};`);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `  ${name}_temp_path ${join(folder, "temporary", name)};`,
  );
  return `daemon off;
worker_processes 1;
pid ${join(folder, "nginx.pid")};
error_log stderr error;
events { worker_connections 8192; }
http {
  access_log off;
${temporary.join("\n")}
  client_max_body_size 64m;
  client_body_buffer_size 1m;
  keepalive_requests 1000000;
  upstream replicas {
${servers.join("\n")}
    keepalive 512;
    keepalive_requests 1000000;
  }
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location / {
      proxy_pass http://replicas;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffering off;
      proxy_read_timeout 300s;
    }
  }
}
`;
}
