import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { guardAgainstOrphan } from "./orphan-guard.ts";
import type { Progress } from "./progress.ts";
import { repositoryRoot } from "./repository-root.ts";
import { StackError } from "./stack-error.ts";

const app = join(repositoryRoot, "apps", "console");
const stamp = join(app, ".next", "built-from");
/** Silence longer than this makes people think it hangs. */
const HEARTBEAT_MS = 15_000;
/** Everything whose change makes a build out of date. */
const SOURCES = [
  "apps/console/{src,public}/**/*",
  "apps/console/*.{ts,mjs,json}",
  "packages/scheduler/src/**/*.ts",
  "db/src/**/*",
  "package-lock.json",
];

/** The built console's server script. */
export const consoleServer = join(app, ".next", "standalone", "apps", "console", "server.js");

/**
 * Builds the console unless the last build was made from exactly these sources.
 *
 * @param signal ends the build
 * @throws StackError build_failed with what the build printed last
 */
export async function ensureConsoleBuilt(progress: Progress, signal?: AbortSignal): Promise<void> {
  const sources = sourcesHash();
  if (existsSync(consoleServer) && existsSync(stamp) && readFileSync(stamp, "utf8") === sources) return;
  progress.step(
    "building the console, once for these sources (half a minute on an idle machine, longer on a busy one)",
  );
  rmSync(stamp, { force: true });
  await nextBuild(progress, signal);
  // The standalone folder comes without the files a browser loads.
  const standalone = join(consoleServer, "..");
  cpSync(join(app, ".next", "static"), join(standalone, ".next", "static"), { recursive: true });
  if (existsSync(join(app, "public")))
    cpSync(join(app, "public"), join(standalone, "public"), { recursive: true });
  writeFileSync(stamp, sources);
}

function sourcesHash(): string {
  const hash = createHash("sha256");
  const files = globSync(SOURCES, { cwd: repositoryRoot, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$|next-env\.d\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(file)).update("\0");
  return hash.digest("hex");
}

function nextBuild(progress: Progress, signal?: AbortSignal): Promise<void> {
  const next = createRequire(join(app, "package.json")).resolve("next/dist/bin/next");
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [next, "build"], {
      cwd: app,
      env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", CI: "1", NO_COLOR: "1" },
      stdio: ["ignore", "pipe", "pipe"],
      // Next starts workers: the group ends as a whole.
      detached: true,
    });
    const group = -(child.pid ?? 0);
    const endGuard = group === 0 ? () => {} : guardAgainstOrphan(group, "TERM");
    const end = () => {
      if (group !== 0 && child.exitCode === null && child.signalCode === null) process.kill(group, "SIGTERM");
    };
    signal?.addEventListener("abort", end, { once: true });
    const startedAt = performance.now();
    const heartbeat = setInterval(
      () => progress.step(`console build: at it for ${Math.round((performance.now() - startedAt) / 1000)} s`),
      HEARTBEAT_MS,
    );
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8");
      stream.on("data", (chunk: string) => {
        output += chunk;
        for (const line of chunk.split("\n")) {
          // Next's milestones are its lines with a mark in front: ▲ version, ✓ done, ⨯ failed.
          if (/^\s*[▲✓⨯]/.test(line)) progress.step(`console build: ${line.replace(/^\s*\S+\s*/, "")}`);
        }
      });
    }
    child.on("error", (cause) =>
      fail(new StackError("build_failed", `Cannot run next build: ${cause.message}`, { cause })),
    );
    child.on("close", (code, signalName) => {
      clearInterval(heartbeat);
      endGuard();
      signal?.removeEventListener("abort", end);
      if (code === 0) done();
      else {
        const tail = output.trim().split("\n").slice(-40).join("\n");
        fail(
          new StackError("build_failed", `The console's build ended with ${signalName ?? code}:\n${tail}`),
        );
      }
    });
  });
}
