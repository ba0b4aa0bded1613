import { type ChildProcess, spawn } from "node:child_process";
import type { UnixUser } from "./unprivileged-user.ts";

/**
 * A small shell that stops a child when this process is killed without a chance to do so itself: its standard input
 * closes then. Works for programs that cannot watch their parent (Postgres, the built console).
 *
 * @param target pid, or -pid for the whole process group
 * @returns what ends the guard, to be called once the child is gone
 */
export function guardAgainstOrphan(
  target: number,
  signal: "INT" | "TERM",
  user: UnixUser | null = null,
): () => void {
  const script = 'while read -r _; do :; done; kill -s "$1" -- "$0"; sleep 15; kill -s KILL -- "$0"';
  const guard: ChildProcess = spawn("/bin/sh", ["-c", script, String(target), signal], {
    ...user,
    cwd: "/",
    stdio: ["pipe", "ignore", "ignore"],
    // Its own group, so that Ctrl-C in the terminal does not end the guard before what it guards.
    detached: true,
  });
  // Without a shell there is no guard; the child itself runs as well.
  guard.on("error", () => {});
  guard.unref();
  return () => {
    guard.kill("SIGKILL");
  };
}
