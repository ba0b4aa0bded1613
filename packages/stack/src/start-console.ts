import { join } from "node:path";
import { consoleServer } from "./console-build.ts";
import { type NodeChild, startNodeChild, untilAnswers } from "./node-child.ts";

export interface ConsoleOptions {
  host: string;
  port: number;
  databaseUrl: string;
  dataDir: string;
  onLine: (line: string) => void;
}

export interface RunningConsole extends NodeChild {
  url: string;
  /** One-time address that makes the first admin; null when there is one already. */
  setupUrl(): string | null;
}

/** Runs the built console and waits until it answers. */
export async function startConsole(options: ConsoleOptions): Promise<RunningConsole> {
  let setupUrl: string | null = null;
  const child = startNodeChild({
    name: "console",
    args: [consoleServer],
    cwd: join(consoleServer, ".."),
    env: {
      NODE_ENV: "production",
      HOSTNAME: options.host,
      PORT: String(options.port),
      DATABASE_URL: options.databaseUrl,
      DATA_DIR: options.dataDir,
    },
    onLine: (line) => {
      setupUrl ??= setupUrlIn(line);
      options.onLine(line);
    },
  });
  const url = `http://${reachable(options.host)}:${options.port}`;
  await orEnd(child, untilAnswers(child, `${url}/healthz`));
  return { ...child, url, setupUrl: () => setupUrl };
}

function setupUrlIn(line: string): string | null {
  if (!line.includes('"console_setup"')) return null;
  const event: { url?: unknown } = JSON.parse(line);
  return typeof event.url === "string" ? event.url : null;
}

/** A wildcard address can be listened on but not opened. */
export function reachable(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}

/** A child that did not come up is not left running. */
export async function orEnd<T>(child: NodeChild, ready: Promise<T>): Promise<T> {
  try {
    return await ready;
  } catch (error) {
    await child.stop();
    throw error;
  }
}
