import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { freePort } from "./free-port.ts";
import { guardAgainstOrphan } from "./orphan-guard.ts";
import { postgresBinaries, SYSTEM_DIR } from "./postgres-binaries.ts";
import { commandOf, isRunning, waitUntil } from "./running-process.ts";
import { StackError } from "./stack-error.ts";
import { canReach, postgresUser, type UnixUser } from "./unprivileged-user.ts";

export interface PostgresOptions {
  /** Folder that holds the cluster, its password and its log; made when missing. */
  dataDir: string;
  /** 0 or absent picks a free one. */
  port?: number;
  /** false gives up durability for speed: for throw-away databases only. */
  sync?: boolean;
  /** Told what takes time, for progress lines. */
  onProgress?: (message: string) => void;
}

export interface RunningPostgres {
  /** postgres://… of the superuser, over TCP on the loopback interface. */
  url: string;
  port: number;
  pid: number;
  /** Settles when the server ends, with what its log said last; also after stop(). */
  exited: Promise<string>;
  stop(): Promise<void>;
  kill(): void;
}

const START_TIMEOUT_MS = 120_000;
const NOT_DURABLE = [
  "fsync=off",
  "synchronous_commit=off",
  "full_page_writes=off",
  "wal_level=minimal",
  "max_wal_senders=0",
];

/**
 * Starts a real Postgres from the binaries in node_modules on 127.0.0.1. A second start on the same folder goes on with
 * its data; a server left behind by a killed parent is stopped first. As root the server runs as an unprivileged user.
 *
 * @throws StackError already_running | binaries_missing | data_unusable | port_in_use | postgres_failed
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const home = resolve(options.dataDir);
  const cluster = join(home, "cluster");
  mkdirSync(home, { recursive: true });
  await stopOrphan(home, cluster);
  writeFileSync(join(home, "launcher.pid"), String(process.pid));

  const user = postgresUser(cluster);
  const binaries = postgresBinaries(user);
  const password = keptPassword(home);
  if (!existsSync(join(cluster, "PG_VERSION"))) {
    options.onProgress?.("creating the database cluster");
    await createCluster({ home, cluster, binaries, user, password, sync: options.sync !== false });
  }

  for (let attempt = 1; ; attempt++) {
    const port = await freePort(options.port, "POSTGRES_PORT");
    // The link's own path may be closed to the server; where it leads is not.
    const server = launch({
      home,
      cluster: realpathSync(cluster),
      binaries,
      user,
      port,
      sync: options.sync !== false,
    });
    const ready = () =>
      readPostmaster(cluster)?.ready === true && readPostmaster(cluster)?.pid === server.pid;
    let gone = false;
    void server.exited.then(() => {
      gone = true;
    });
    const settled = await waitUntil(() => gone || ready(), START_TIMEOUT_MS);
    if (settled && !gone) {
      return {
        url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
        port,
        pid: server.pid,
        exited: server.exited,
        stop: server.stop,
        kill: server.kill,
      };
    }
    await server.stop();
    const log = await server.exited;
    // Backends of a killed server need a moment to leave; a picked port can be taken between picking and use.
    const passing = /pre-existing shared memory block|Address already in use/.test(log);
    if (!passing || attempt === 20) {
      throw new StackError(
        "postgres_failed",
        `Postgres did not start (data in ${cluster}). Its log ends with:\n${log}`,
      );
    }
    await new Promise((done) => setTimeout(done, 250));
  }
}

interface ClusterPlan {
  home: string;
  cluster: string;
  binaries: string;
  user: UnixUser | null;
  password: string;
  sync: boolean;
}

/** initdb into a folder beside the final one, renamed when complete: a start broken off half-way leaves nothing to trip over. */
async function createCluster({ home, cluster, binaries, user, password, sync }: ClusterPlan): Promise<void> {
  let base = home;
  if (user && !canReach(home, user)) {
    // Below a closed folder such as /root the server could not reach its data: keep it outside and leave a link.
    mkdirSync(SYSTEM_DIR, { recursive: true, mode: 0o755 });
    base = mkdtempSync(join(SYSTEM_DIR, "data-"));
    chmodSync(base, 0o755);
  }
  const target = join(base, "cluster");
  const unfinished = join(base, "cluster.new");
  const passwordFile = join(base, "initdb.password");
  rmSync(unfinished, { recursive: true, force: true });
  rmSync(passwordFile, { force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user) for (const path of [unfinished, passwordFile]) chownSync(path, user.uid, user.gid);
  try {
    const args = [
      [
        "-D",
        unfinished,
        "-U",
        "postgres",
        "--auth=scram-sha-256",
        `--pwfile=${passwordFile}`,
        "--encoding=UTF8",
      ],
      ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"],
      sync ? [] : ["--no-sync"],
    ].flat();
    await run(join(binaries, "bin", "initdb"), args, user, base);
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(unfinished, target);
  if (target !== cluster) {
    if (lstatSync(cluster, { throwIfNoEntry: false })) rmSync(cluster);
    symlinkSync(target, cluster);
  }
}

function run(command: string, args: string[], user: UnixUser | null, cwd: string): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn(command, args, {
      ...user,
      cwd,
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        output += chunk;
      });
    }
    child.on("error", (cause) => {
      fail(new StackError("postgres_failed", `Cannot run ${command}: ${cause.message}`, { cause }));
    });
    child.on("close", (code, signal) => {
      if (code === 0) done();
      else
        fail(new StackError("postgres_failed", `${command} ended with ${signal ?? code}:\n${output.trim()}`));
    });
  });
}

interface LaunchPlan extends Omit<ClusterPlan, "password"> {
  port: number;
}

function launch({
  home,
  cluster,
  binaries,
  user,
  port,
  sync,
}: LaunchPlan): Pick<RunningPostgres, "pid" | "exited" | "stop" | "kill"> {
  const settings = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "max_connections=200",
    "timezone=UTC",
    "log_timezone=UTC",
  ];
  const logFile = join(home, "postgres.log");
  const log = openSync(logFile, "w", 0o644);
  const args = [
    "-D",
    cluster,
    "-p",
    String(port),
    ...[...settings, ...(sync ? [] : NOT_DURABLE)].flatMap((setting) => ["-c", setting]),
  ];
  const child: ChildProcess = spawn(join(binaries, "bin", "postgres"), args, {
    ...user,
    cwd: "/",
    env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
    stdio: ["ignore", log, log],
    // An own process group: Ctrl-C in the terminal must not stop the database before its users.
    detached: true,
  });
  closeSync(log);
  const pid = child.pid ?? -1;
  const endGuard = pid === -1 ? () => {} : guardAgainstOrphan(pid, "INT", user);
  const exited = new Promise<string>((done) => {
    const end = () => {
      endGuard();
      done(readFileSync(logFile, "utf8").trim().split("\n").slice(-15).join("\n"));
    };
    child.once("exit", end);
    child.once("error", end);
  });
  const stop = async () => {
    for (const signal of ["SIGINT", "SIGQUIT", "SIGKILL"] as const) {
      if (child.exitCode !== null || child.signalCode !== null || pid === -1) break;
      child.kill(signal);
      const patience = new Promise((done) => setTimeout(done, 10_000).unref());
      await Promise.race([exited, patience]);
    }
    await exited;
    rmSync(join(home, "launcher.pid"), { force: true });
  };
  return { pid, exited, stop, kill: () => void child.kill("SIGQUIT") };
}

interface Postmaster {
  pid: number;
  ready: boolean;
}

/** postmaster.pid: line 1 is the pid, line 8 the status. Null when there is none. */
function readPostmaster(cluster: string): Postmaster | null {
  const file = join(cluster, "postmaster.pid");
  if (!existsSync(file)) return null;
  const lines = readFileSync(file, "utf8").split("\n");
  return { pid: Number(lines[0]), ready: lines[7]?.trim() === "ready" };
}

async function stopOrphan(home: string, cluster: string): Promise<void> {
  const left = readPostmaster(cluster);
  if (!left || !isRunning(left.pid) || commandOf(left.pid)?.includes("postgres") === false) return;
  const launcherFile = join(home, "launcher.pid");
  const launcher = existsSync(launcherFile) ? Number(readFileSync(launcherFile, "utf8")) : 0;
  if (launcher > 0 && isRunning(launcher) && commandOf(launcher)?.includes("node") !== false) {
    throw new StackError(
      "already_running",
      `The data in ${home} is in use by process ${launcher}: stop it first, or set DATA_DIR to another folder.`,
    );
  }
  process.kill(left.pid, "SIGINT");
  if (!(await waitUntil(() => !isRunning(left.pid), 20_000))) {
    throw new StackError(
      "data_unusable",
      `A Postgres from an earlier start (process ${left.pid}) does not stop: end it by hand.`,
    );
  }
}

function keptPassword(home: string): string {
  const file = join(home, "password");
  if (existsSync(file)) return readFileSync(file, "utf8").trim();
  if (existsSync(join(home, "cluster", "PG_VERSION"))) {
    throw new StackError(
      "data_unusable",
      `${file} is missing, and without it the database in ${home} cannot be opened: put it back, or set DATA_DIR to a new folder.`,
    );
  }
  const password = randomBytes(18).toString("base64url");
  writeFileSync(file, password, { mode: 0o600 });
  return password;
}
