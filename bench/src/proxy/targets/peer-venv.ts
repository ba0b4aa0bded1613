import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";

/** A peer from the Python package index in a virtual environment of its own. */
export interface PeerVenv {
  /** The path of one of its programs. */
  program(name: string): string;
  /** Version of the installed package, null when it is not installed. */
  version(): string | null;
}

/** @param folder where virtual environments are kept, one per package */
export function peerVenv(folder: string, packageName: string): PeerVenv {
  const bin = join(folder, packageName, "bin");
  return {
    program: (name) => join(bin, name),
    version: () => {
      const code = `import importlib.metadata as m; print(m.version(${JSON.stringify(packageName)}))`;
      const result = spawnSync(join(bin, "python"), ["-c", code], { encoding: "utf8" });
      return result.status === 0 ? result.stdout.trim() : null;
    },
  };
}

/**
 * Installs a package with its extras into its environment, once.
 * @returns the reason it could not be installed, null when it is there
 */
export function installPeer(folder: string, requirement: string): string | null {
  const packageName = requirement.replace(/\[.*/, "");
  if (peerVenv(folder, packageName).version() !== null) return null;
  mkdirSync(folder, { recursive: true });
  const home = join(folder, packageName);
  const steps = [
    ...(existsSync(join(home, "bin", "python")) ? [] : [["python3", "-m", "venv", home]]),
    [join(home, "bin", "pip"), "install", "--quiet", "--disable-pip-version-check", requirement],
  ];
  for (const [program = "", ...args] of steps) {
    const result = spawnSync(program, args, { encoding: "utf8", timeout: 15 * 60_000 });
    if (result.status !== 0) {
      return (result.error?.message ?? result.stderr).trim().split("\n").at(-1) ?? "pip failed";
    }
  }
  return null;
}
