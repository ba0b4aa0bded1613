import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { guardAgainstOrphan } from "@evenkeel/stack/orphan-guard";
import { pinned } from "../pinning.ts";
import { ProcessTree } from "../process-tree.ts";
import { BENCH_MODEL } from "../prompt-bodies.ts";

export interface ProgramOptions {
  readonly command: readonly string[];
  readonly core: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly folder: string;
  /** Where it takes clients' requests. */
  readonly port: number;
}

export interface Program {
  readonly process: ProcessTree;
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 90_000;
const STOP_PATIENCE_MS = 8_000;

/**
 * Runs a proxy on its core and waits until it relays a request.
 * @throws Error with what it printed last
 */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const [program, ...args] = pinned(options.core, options.command);
  const child = spawn(program, args, {
    cwd: options.folder,
    env: { ...process.env, ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const said = lastOutput(child);
  const pid = child.pid ?? -1;
  const endGuard = pid === -1 ? () => {} : guardAgainstOrphan(-pid, "TERM");
  let end: string | null = null;
  const ended = new Promise<void>((resolve) => {
    child.once("error", (error) => {
      end = error.message;
      resolve();
    });
    child.once("exit", (code, signal) => {
      end ??= `ended with ${signal ?? `exit code ${code}`}`;
      resolve();
    });
  }).finally(endGuard);
  const stop = async (): Promise<void> => {
    if (end !== null || pid === -1) return;
    signalGroup(pid, "SIGTERM");
    const timer = setTimeout(() => signalGroup(pid, "SIGKILL"), STOP_PATIENCE_MS);
    await ended;
    clearTimeout(timer);
    // Workers of a master that left them behind.
    signalGroup(pid, "SIGKILL");
  };
  const deadlineMs = performance.now() + START_TIMEOUT_MS;
  while (!(await relays(options.port))) {
    if (end !== null) throw new Error(`${end}: ${said()}`);
    if (performance.now() > deadlineMs) {
      await stop();
      throw new Error(`did not relay a request within ${START_TIMEOUT_MS / 1_000} s: ${said()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return { process: new ProcessTree(pid), stop };
}

/** The first line a command prints about its version, or null when it is not installed. */
export function versionOf(command: readonly string[], pattern: RegExp): string | null {
  const [program = "", ...args] = command;
  const result = spawnSync(program, args, { encoding: "utf8" });
  if (result.error !== undefined) return null;
  return pattern.exec(`${result.stdout}${result.stderr}`)?.[1] ?? "unknown version";
}

async function relays(port: number): Promise<boolean> {
  const body = { model: BENCH_MODEL, messages: [{ role: "user", content: "ready?" }] };
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: "Bearer none", connection: "close" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(5_000),
    });
    await answer.arrayBuffer();
    return answer.status === 200;
  } catch {
    return false;
  }
}

function lastOutput(child: ChildProcess): () => string {
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8");
    stream?.on("data", (text: string) => {
      output = (output + text).slice(-2_000);
    });
  }
  return () => output.trim().split("\n").slice(-5).join(" / ");
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // Nobody is left in it.
  }
}
