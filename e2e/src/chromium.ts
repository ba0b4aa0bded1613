import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { chromium } from "@playwright/test";

const KNOWN_PATHS = [
  "/usr/bin/chromium",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** A Chromium on this machine: CHROMIUM_PATH, the system's, or the one Playwright has downloaded. Null when there is none. */
export function findChromium(): string | null {
  const given = process.env.CHROMIUM_PATH;
  if (given) {
    if (!existsSync(given)) throw new Error(`CHROMIUM_PATH=${given} does not exist`);
    return given;
  }
  return [...KNOWN_PATHS, chromium.executablePath()].find((path) => existsSync(path)) ?? null;
}

/**
 * Finds a Chromium, else installs one: Debian's package as root, else Playwright's download.
 *
 * @throws Error that says what was tried and what to set
 */
export function getChromium(say: (message: string) => void): string {
  const found = findChromium();
  if (found) return found;
  const tried: string[] = [];
  // Ubuntu's `chromium` package is a snap, which does not run in a container.
  const debian =
    existsSync("/etc/os-release") && /^ID=debian$/m.test(readFileSync("/etc/os-release", "utf8"));
  if (debian && process.getuid?.() === 0) {
    say("no Chromium found: installing Debian's (apt-get install chromium)");
    const packages = ["chromium", "fonts-liberation"];
    tried.push(attempt("apt-get", ["update", "-q"]));
    tried.push(attempt("apt-get", ["install", "-y", "-q", "--no-install-recommends", ...packages]));
  }
  if (!findChromium()) {
    say("no Chromium found: downloading Playwright's");
    const withDependencies = process.getuid?.() === 0 ? ["--with-deps"] : [];
    tried.push(attempt("npx", ["playwright", "install", ...withDependencies, "chromium"]));
  }
  const installed = findChromium();
  if (installed) return installed;
  throw new Error(
    `No Chromium, and none could be installed: set CHROMIUM_PATH to one.\n${tried.filter(Boolean).join("\n")}`,
  );
}

function attempt(command: string, args: string[]): string {
  const run = spawnSync(command, args, {
    encoding: "utf8",
    timeout: 300_000,
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  if (run.status === 0) return "";
  const output = `${run.stdout ?? ""}${run.stderr ?? ""}${run.error ?? ""}`
    .trim()
    .split("\n")
    .slice(-5)
    .join("\n");
  return `${command} ${args.join(" ")} failed:\n${output}`;
}
