import { type ChildProcess, spawn } from "node:child_process";
import { guardAgainstOrphan } from "./orphan-guard.ts";
import { StackError } from "./stack-error.ts";

export interface NodeChildOptions {
  /** What people call it: `router`, `console`, `simulation`. */
  name: string;
  /** The script and its arguments. */
  args: string[];
  cwd: string;
  env: Record<string, string>;
  /** Every line the child prints, from both streams. */
  onLine: (line: string) => void;
  /** Messages the child sends with process.send. */
  onMessage?: (message: unknown) => void;
}

export interface NodeChild {
  readonly name: string;
  readonly pid: number;
  /** Settles when the process has ended, with the reason in words. Never rejects. */
  readonly exited: Promise<string>;
  /** Last lines it printed, for an error message. */
  lastLines(): string;
  /** Sends a message to the child; dropped when it is gone. */
  send(message: object): void;
  /** SIGTERM, then SIGKILL after `patienceMs`. */
  stop(patienceMs?: number): Promise<void>;
  kill(): void;
}

/**
 * Runs a script in a Node process of its own that never outlives this one: it is stopped by stop(), and by a guard when
 * this process is killed.
 */
export function startNodeChild(options: NodeChildOptions): NodeChild {
  const recent: string[] = [];
  const child: ChildProcess = spawn(process.execPath, options.args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ["ignore", "pipe", "pipe", ...(options.onMessage ? (["ipc"] as const) : [])],
    // An own process group: Ctrl-C reaches this process alone, which then stops its children in order.
    detached: true,
  });
  const pid = child.pid ?? -1;
  const endGuard = pid === -1 ? () => {} : guardAgainstOrphan(-pid, "TERM");
  for (const stream of [child.stdout, child.stderr]) {
    readLines(stream, (line) => {
      recent.push(line);
      if (recent.length > 20) recent.shift();
      options.onLine(line);
    });
  }
  if (options.onMessage) child.on("message", options.onMessage);

  const exited = new Promise<string>((done) => {
    child.once("error", (error) => {
      endGuard();
      done(`could not be started: ${error.message}`);
    });
    // "close" comes after the last line was read; "exit" may come before it.
    child.once("close", (code, signal) => {
      endGuard();
      done(signal ? `was ended by ${signal}` : `ended with exit code ${code}`);
    });
  });
  const signal = (name: NodeJS.Signals) => {
    if (pid !== -1 && child.exitCode === null && child.signalCode === null) child.kill(name);
  };
  return {
    name: options.name,
    pid,
    exited,
    lastLines: () => recent.join("\n"),
    send: (message) => {
      if (child.connected) child.send(message, () => {});
    },
    stop: async (patienceMs = 10_000) => {
      signal("SIGTERM");
      const timer = setTimeout(() => signal("SIGKILL"), patienceMs);
      await exited;
      clearTimeout(timer);
    },
    kill: () => signal("SIGKILL"),
  };
}

function readLines(stream: NodeJS.ReadableStream | null, onLine: (line: string) => void): void {
  let rest = "";
  stream?.setEncoding("utf8");
  stream?.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line);
  });
  stream?.on("end", () => {
    if (rest !== "") onLine(rest);
  });
}

/**
 * Waits until `url` answers with a status below 500, while watching that the child lives.
 *
 * @throws StackError child_exited | start_timeout, with the child's last lines
 */
export async function untilAnswers(child: NodeChild, url: string, timeoutMs = 60_000): Promise<void> {
  let end: string | null = null;
  void child.exited.then((reason) => {
    end = reason;
  });
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    if (end !== null) throw new StackError("child_exited", `The ${child.name} ${end}.\n${child.lastLines()}`);
    const status = await fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
      async (response) => {
        await response.body?.cancel();
        return response.status;
      },
      () => null,
    );
    if (status !== null && status < 500) return;
    if (performance.now() > deadline) {
      const why = status === null ? "does not answer" : `answers with status ${status}`;
      throw new StackError(
        "start_timeout",
        `The ${child.name} ${why} at ${url} after ${Math.round(timeoutMs / 1000)} s.\n${child.lastLines()}`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
