/** `npm start`: the whole system on this machine, until Ctrl-C. */
import { relative } from "node:path";
import { terminalProgress } from "./progress.ts";
import { StackError } from "./stack-error.ts";
import { type StackSettings, stackSettings } from "./stack-settings.ts";
import { type Stack, startStack } from "./start-stack.ts";

const progress = terminalProgress();
const aborted = new AbortController();
let stack: Stack | null = null;
let askedAt: number | null = null;

/** npm passes on the signal that the terminal has already sent: one key press may arrive twice. */
const SAME_KEY_PRESS_MS = 800;

async function shutDown(): Promise<void> {
  const now = performance.now();
  if (askedAt !== null) {
    if (now - askedAt < SAME_KEY_PRESS_MS) return;
    progress.warn("stopping at once");
    aborted.abort();
    stack?.kill();
    process.exit(1);
  }
  askedAt = now;
  if (stack === null) {
    aborted.abort();
    return;
  }
  progress.step("stopping: load, router, console, replicas, database (Ctrl-C again to stop at once)");
  await stack.stop();
  progress.step("stopped; the data is kept");
  process.exit(0);
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void shutDown());
// npm killed outright passes nothing on; what it started must not hold the ports for ever.
if (process.env["npm_lifecycle_event"] !== undefined) {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent && askedAt === null) void shutDown();
  }, 1000).unref();
}
// The terminal may be gone before we are.
process.stdout.on("error", () => {});

try {
  const settings = stackSettings(process.env);
  stack = await startStack(settings, progress, aborted.signal);
  if (askedAt !== null) {
    await stack.stop();
    process.exit(0);
  }
  process.stdout.write(welcome(stack, settings));
} catch (error) {
  if (aborted.signal.aborted) process.exit(0);
  if (!(error instanceof StackError)) throw error;
  process.stderr.write(`\nEvenkeel could not start (${error.code}).\n${error.message}\n`);
  process.exit(1);
}

function welcome(running: Stack, settings: StackSettings): string {
  const below = relative(process.cwd(), settings.dataDir);
  const dataDir = below.startsWith("..") ? settings.dataDir : below || ".";
  const model = running.simulation?.models[0] ?? "MODEL";
  const lines = [
    "",
    "Evenkeel is running.",
    "",
    running.consoleUrl && `  console   ${running.consoleUrl}`,
    running.setupUrl
      ? `  sign in   make the first account: ${running.setupUrl}`
      : running.consoleUrl && "  sign in   with the account you made",
    `  router    ${running.routerUrl}/v1`,
    `  metrics   ${running.adminUrl}/metrics`,
    `  fleet     ${running.simulation ? `${settings.simReplicas} simulated replicas of ${model}` : settings.fleetFile}`,
    `  data      ${settings.databaseUrl ? "your Postgres (DATABASE_URL)" : `${dataDir}/postgres`}, logs in ${dataDir}/logs`,
    "",
    "  Try it:",
    "",
    `  curl -iN ${running.routerUrl}/v1/chat/completions -H 'content-type: application/json' \\`,
    `    -d '{"model": "${model}", "stream": true, "max_tokens": 32, "messages": [{"role": "user", "content": "Hello"}]}'`,
    "",
    "  Ctrl-C stops everything.",
    "",
  ];
  return `${lines.filter((line) => typeof line === "string").join("\n")}\n`;
}
