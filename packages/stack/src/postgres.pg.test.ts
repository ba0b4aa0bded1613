import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import postgres from "postgres";
import { afterEach, expect, test } from "vitest";
import { type RunningPostgres, startPostgres } from "./postgres.ts";
import { isRunning, waitUntil } from "./running-process.ts";

const opened: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

function dataFolder(mode = 0o755): string {
  const folder = mkdtempSync(join(tmpdir(), "evenkeel-pg-"));
  chmodSync(folder, mode);
  opened.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function start(dataDir: string, sync = false): Promise<RunningPostgres> {
  const running = await startPostgres({ dataDir, sync });
  opened.push(running.stop);
  return running;
}

async function query(url: string, text: string): Promise<unknown[]> {
  const sql = postgres(url, { max: 1 });
  try {
    return [...(await sql.unsafe(text))];
  } finally {
    await sql.end();
  }
}

test("a second start goes on with the data, also after the server was killed", async () => {
  const dataDir = dataFolder();
  const first = await start(dataDir, true);
  await query(first.url, "create table kept (n int)");
  await query(first.url, "insert into kept values (1)");
  await first.stop();

  const second = await start(dataDir, true);
  await query(second.url, "insert into kept values (2)");
  process.kill(second.pid, "SIGKILL");
  await second.exited;

  const third = await start(dataDir, true);
  expect(await query(third.url, "select n from kept order by n")).toEqual([{ n: 1 }, { n: 2 }]);
}, 60_000);

test("a data folder that only its owner may enter works, as root too", async () => {
  const dataDir = join(dataFolder(0o700), "postgres");
  // As root the cluster is kept outside the closed folder, behind a link.
  opened.push(() =>
    rmSync(dirname(realpathSync(join(dataDir, "cluster"))), { recursive: true, force: true }),
  );
  const running = await start(dataDir);
  expect(await query(running.url, "select 1 as one")).toEqual([{ one: 1 }]);
}, 60_000);

test("two starts on one folder: the second is refused and names the process that holds it", async () => {
  const dataDir = dataFolder();
  await start(dataDir);
  await expect(startPostgres({ dataDir })).rejects.toMatchObject({
    code: "already_running",
    message: expect.stringContaining(String(process.pid)),
  });
}, 60_000);

test("a server whose parent was killed does not stay behind", async () => {
  const dataDir = dataFolder();
  const script = `
    const { startPostgres } = await import(${JSON.stringify(join(import.meta.dirname, "postgres.ts"))});
    const { pid } = await startPostgres({ dataDir: ${JSON.stringify(dataDir)}, sync: false });
    console.log(pid);
    setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const serverPid = await new Promise<number>((done) =>
    parent.stdout.once("data", (chunk) => done(Number(chunk))),
  );
  expect(isRunning(serverPid)).toBe(true);
  parent.kill("SIGKILL");
  expect(await waitUntil(() => !isRunning(serverPid), 10_000)).toBe(true);

  const next = await start(dataDir);
  expect(await query(next.url, "select 1 as one")).toEqual([{ one: 1 }]);
}, 60_000);

test("a port in use is an error that names the variable to set", async () => {
  const first = await start(dataFolder());
  await expect(startPostgres({ dataDir: dataFolder(), port: first.port })).rejects.toMatchObject({
    code: "port_in_use",
    message: expect.stringContaining("POSTGRES_PORT"),
  });
}, 60_000);
