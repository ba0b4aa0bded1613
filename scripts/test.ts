/**
 * `npm test`: everything CI checks. Steps run one after the other, all of them even after a failure; the last line
 * is the sum, `N passed, N failed`.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { getChromium } from "../e2e/src/chromium.ts";

const root = path.resolve(import.meta.dirname, "..");
const reports = path.join(root, ".test-reports");
const bin = (name: string) => path.join(root, "node_modules", ".bin", name);

interface Count {
  passed: number;
  failed: number;
}

interface Step {
  name: string;
  command: string[];
  env?: Record<string, string>;
  /** A step that takes longer is ended and counts as failed. */
  minutes: number;
  /** Reads what the step counted; null when it left nothing to read. */
  count: (output: string) => Count | null;
}

let running: ChildProcess | null = null;

async function runStep(step: Step): Promise<Count> {
  const startedAt = performance.now();
  console.log(`\n── ${step.name} ${"─".repeat(Math.max(0, 70 - step.name.length))}`);
  const [command = "", ...args] = step.command;
  const child = spawn(command, args, {
    cwd: root,
    // A group of its own, so that a step that hangs is ended with everything it started.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      // Tools start `node`: this one, whatever the system's is.
      PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH ?? ""}`,
      CI: "1",
      DO_NOT_TRACK: "1",
      NEXT_TELEMETRY_DISABLED: "1",
      TURBO_TELEMETRY_DISABLED: "1",
      ...step.env,
    },
  });
  running = child;
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (chunk: string) => {
      output += chunk;
      process.stdout.write(chunk);
    });
  }
  let overtime = false;
  const timer = setTimeout(() => {
    overtime = true;
    endGroup(child);
  }, step.minutes * 60_000);
  const code = await new Promise<number | null>((done) => {
    child.once("error", (error) => {
      console.log(String(error));
      done(null);
    });
    child.once("close", done);
  });
  clearTimeout(timer);
  running = null;
  // What a crashed step may have left running.
  endGroup(child);
  if (overtime) console.log(`${step.name}: ended after ${step.minutes} minutes`);
  const counted = step.count(output) ?? { passed: code === 0 ? 1 : 0, failed: 0 };
  // A step that fails without a failed test (it crashed, or nothing ran) is a failure all the same.
  const failed = counted.failed === 0 && (code !== 0 || counted.passed === 0) ? 1 : counted.failed;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  console.log(`${step.name}: ${counted.passed} passed, ${failed} failed (${seconds} s)`);
  return { passed: counted.passed, failed };
}

function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // Already gone.
  }
}

function report(file: string): Record<string, unknown> | null {
  const full = path.join(reports, file);
  return existsSync(full) ? JSON.parse(readFileSync(full, "utf8")) : null;
}

function lastLine(output: string): Count | null {
  const found = [...output.matchAll(/^(\d+) passed, (\d+) failed$/gm)].at(-1);
  return found ? { passed: Number(found[1]), failed: Number(found[2]) } : null;
}

function vitestCount(): Count | null {
  const read = report("vitest.json");
  if (!read) return null;
  const files = Array.isArray(read.testResults) ? read.testResults : [];
  // A file that does not load has no tests to fail.
  const broken = files.filter(
    (file) => file.status === "failed" && file.assertionResults?.length === 0,
  ).length;
  return { passed: Number(read.numPassedTests), failed: Number(read.numFailedTests) + broken };
}

function playwrightCount(): Count | null {
  const stats = report("playwright.json")?.stats;
  if (typeof stats !== "object" || stats === null || !("expected" in stats)) return null;
  const { expected, unexpected, flaky } = { unexpected: 0, flaky: 0, ...stats };
  return { passed: Number(expected), failed: Number(unexpected) + Number(flaky) };
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    if (running) endGroup(running);
    process.exit(130);
  });
}

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
const total: Count = { passed: 0, failed: 0 };
const add = (count: Count) => {
  total.passed += count.passed;
  total.failed += count.failed;
};

add(
  await runStep({
    name: "check",
    command: [process.execPath, "scripts/check.ts"],
    minutes: 10,
    count: lastLine,
  }),
);
add(
  await runStep({
    name: "unit, property, socket and database tests",
    command: [
      bin("vitest"),
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${reports}/vitest.json`,
    ],
    minutes: 20,
    count: vitestCount,
  }),
);
const build = await runStep({
  name: "console build",
  command: [process.execPath, "packages/stack/src/build-console.ts"],
  minutes: 15,
  count: () => null,
});
add(build);
try {
  const chromium = getChromium((message) => console.log(`\n${message}`));
  add(
    await runStep({
      name: "stories in Chromium",
      command: [bin("playwright"), "test", "--config", "e2e/playwright.config.ts"],
      env: { CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: path.join(reports, "playwright.json") },
      minutes: 30,
      count: playwrightCount,
    }),
  );
} catch (error) {
  console.log(error instanceof Error ? error.message : String(error));
  add({ passed: 0, failed: 1 });
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);
