import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decisionId, decisionIdTimeMs } from "../decision-id.ts";
import type { DecisionRecord } from "../decision-record.ts";
import { anyDecisionRecord } from "../decision-record-arbitrary.ts";
import { readDecisions } from "../read-decisions.ts";
import { type TestDb, withTestDb } from "../testing.ts";
import { RecordWriter, type RecordWriterEvent, type RecordWriterStats } from "./record-writer.ts";

const CHILD = fileURLToPath(new URL("./record-writer-child.ts", import.meta.url));
const DISK_FULL_CHILD = fileURLToPath(new URL("./disk-full-child.ts", import.meta.url));

class Folder {
  readonly dir = mkdtempSync(join(tmpdir(), "evenkeel-writer-"));
  [Symbol.dispose]() {
    rmSync(this.dir, { recursive: true, force: true });
  }
}

function sample(count: number): DecisionRecord[] {
  return fc
    .sample(anyDecisionRecord(4), { numRuns: count, seed: count })
    .map((record) => ({ ...record, id: decisionId(decisionIdTimeMs(record.id), randomBytes(10)) }));
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 10));
}

async function storedIds(store: TestDb): Promise<number> {
  const rows = await store.db.sql<{ n: number }[]>`select count(*)::int as n from decisions`;
  return rows[0]?.n ?? 0;
}

function accounted(stats: RecordWriterStats): number {
  return stats.stored + stats.refused + stats.dropped + stats.waiting + stats.buffered;
}

test("decisions and snapshots arrive exactly as they were appended, with the router's rights", async () => {
  await using store = await withTestDb();
  using folder = new Folder();
  const writer = new RecordWriter({ dir: folder.dir, flushMs: 10 });
  writer.useDatabase(store.url, "evenkeel_router");
  const records = sample(120);
  for (const record of records) writer.append(record);
  writer.appendSnapshots([
    {
      takenAtMs: Date.UTC(2026, 10, 30),
      routerId: "router-1",
      replica: "r-1",
      state: "ready",
      inFlight: 1,
      running: null,
      queueDepth: null,
      kvOccupancy: null,
      signalAgeMs: null,
      ttftP50Ms: null,
      ttftP99Ms: null,
      itlP50Ms: null,
      hitRate: null,
      requests: 1,
      failures: 0,
    },
  ]);
  const stats = await writer.close(20_000);
  expect(stats).toMatchObject({
    accepted: 121,
    stored: 121,
    dropped: 0,
    refused: 0,
    waiting: 0,
    buffered: 0,
  });
  const read = await readDecisions(
    store.db,
    records.map((record) => record.id),
  );
  expect(read.map((each) => each.record)).toEqual(records);
  expect(await store.db.sql`select from replica_snapshots`).toHaveLength(1);
});

test("while the database is away records wait on disk, and all are stored once when it is back", async () => {
  await using store = await withTestDb();
  using folder = new Folder();
  const events: RecordWriterEvent["kind"][] = [];
  const writer = new RecordWriter({
    dir: folder.dir,
    flushMs: 10,
    retryMs: [10, 50],
    onEvent: (event) => events.push(event.kind),
  });
  writer.useDatabase(store.url, null);
  const records = sample(300);
  for (const record of records.slice(0, 100)) writer.append(record);
  await until(() => writer.stats().stored === 100);

  const backOnline = await store.takeOffline();
  for (const record of records.slice(100)) writer.append(record);
  await until(() => writer.stats().isDatabaseAway && writer.stats().waiting === 200);
  expect(writer.stats().spoolBytes).toBeGreaterThan(0);
  await backOnline();

  await until(() => writer.stats().stored === 300);
  const stats = await writer.close(20_000);
  expect(stats).toMatchObject({ accepted: 300, stored: 300, dropped: 0, waiting: 0, spoolBytes: 0 });
  expect(events).toEqual(["database_away", "database_back"]);
  expect(await storedIds(store)).toBe(300);
});

test("what a program could not bring before it ended is brought by the next one", async () => {
  await using store = await withTestDb();
  using folder = new Folder();
  const records = sample(50);
  const first = new RecordWriter({ dir: folder.dir });
  for (const record of records) first.append(record);
  const left = await first.close(100);
  expect(left).toMatchObject({ accepted: 50, stored: 0, waiting: 50, buffered: 0 });

  const second = new RecordWriter({ dir: folder.dir });
  second.useDatabase(store.url, null);
  await until(() => second.stats().stored === 50);
  await second.close(20_000);
  const read = await readDecisions(
    store.db,
    records.map((record) => record.id),
  );
  expect(read.map((each) => each.record)).toEqual(records);
});

test("past the cap of the spool the oldest are dropped and counted, and every record is accounted for", async () => {
  await using store = await withTestDb();
  using folder = new Folder();
  const events: RecordWriterEvent[] = [];
  const writer = new RecordWriter({
    dir: folder.dir,
    flushMs: 5,
    capBytes: 64 * 1024,
    onEvent: (event) => events.push(event),
  });
  const records = sample(400);
  for (const [i, record] of records.entries()) {
    writer.append(record);
    if (i % 10 === 9) writer.flush();
  }
  await until(() => writer.stats().buffered === 0);
  const full = writer.stats();
  expect(full.dropped).toBeGreaterThan(0);
  expect(full.spoolBytes).toBeLessThanOrEqual(64 * 1024);
  expect(full.accepted).toBe(400);
  expect(accounted(full)).toBe(400);
  writer.useDatabase(store.url, null);
  const stats = await writer.close(20_000);
  expect(stats.stored + stats.dropped).toBe(400);
  expect(await storedIds(store)).toBe(stats.stored);
  const kept = await readDecisions(
    store.db,
    records.map((record) => record.id),
  );
  expect(kept.map((each) => each.record.id)).toEqual(records.slice(-stats.stored).map((record) => record.id));
  const told = events.reduce((sum, event) => sum + (event.kind === "dropped" ? event.records : 0), 0);
  expect(told).toBe(stats.dropped);
});

test("without a usable folder records still reach the database, and it is said once", async () => {
  await using store = await withTestDb();
  using folder = new Folder();
  const file = join(folder.dir, "a-file");
  writeFileSync(file, "");
  const events: RecordWriterEvent["kind"][] = [];
  const writer = new RecordWriter({
    dir: join(file, "spool"),
    flushMs: 5,
    onEvent: (event) => events.push(event.kind),
  });
  writer.useDatabase(store.url, null);
  for (const record of sample(30)) writer.append(record);
  expect(await writer.close(20_000)).toMatchObject({ stored: 30, isSpoolUsable: false, dropped: 0 });
  expect(events).toEqual(["spool_unusable"]);
});

test("when the disk takes no more, what it holds stays whole, the rest waits in memory, and all arrive once", async () => {
  await using store = await withTestDb();
  using folder = new Folder();
  // A limit on the size of files stands in for a full disk: the write fails in the middle of a block all the same.
  const child = spawn(
    "sh",
    [
      "-c",
      `trap '' XFSZ; ulimit -f 1024; exec "$0" "$@"`,
      process.execPath,
      DISK_FULL_CHILD,
      folder.dir,
      store.url,
    ],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  let output = "";
  for await (const chunk of child.stdout.setEncoding("utf8")) output += chunk;
  const { full, closed, events } = JSON.parse(output);
  expect(full).toMatchObject({ accepted: 2000, waiting: 2000, dropped: 0, isSpoolUsable: false });
  expect(full.spoolBytes).toBeGreaterThan(0);
  expect(closed).toMatchObject({ accepted: 2000, stored: 2000, waiting: 0, dropped: 0 });
  expect(events).toEqual(["spool_unusable"]);
  expect(await storedIds(store)).toBe(2000);
}, 120_000);

test("a read-only database counts as away, and its records are stored once it can be written", async () => {
  await using store = await withTestDb();
  using folder = new Folder();
  const name = new URL(store.url).pathname.slice(1);
  await store.db.sql.unsafe(`alter database ${name} set default_transaction_read_only = on`);
  const writer = new RecordWriter({ dir: folder.dir, flushMs: 5, retryMs: [10, 50] });
  writer.useDatabase(store.url, null);
  for (const record of sample(30)) writer.append(record);
  await until(() => writer.stats().isDatabaseAway);
  expect(writer.stats()).toMatchObject({ stored: 0, refused: 0 });
  await store.db.sql.unsafe(`alter database ${name} reset default_transaction_read_only`);
  await until(() => writer.stats().stored === 30);
  await writer.close(20_000);
});

test("a database that hangs is given up, and does not hold up what comes after", async () => {
  await using store = await withTestDb();
  using folder = new Folder();
  const writer = new RecordWriter({ dir: folder.dir, flushMs: 5, retryMs: [10, 50], insertTimeoutMs: 200 });
  const holder = store.open();
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const locked = new Promise<void>((resolve, reject) => {
    holder.sql
      .begin(async (tx) => {
        await tx`lock table decisions in access exclusive mode`;
        resolve();
        await released;
      })
      .catch(reject);
  });
  await locked;
  writer.useDatabase(store.url, null);
  for (const record of sample(20)) writer.append(record);
  await until(() => writer.stats().isDatabaseAway);
  release();
  await until(() => writer.stats().stored === 20);
  await writer.close(20_000);
  expect(await storedIds(store)).toBe(20);
});

test("a program killed at any moment loses no more than it said was still buffered, and nothing is stored twice", async () => {
  await using store = await withTestDb();
  using folder = new Folder();
  const appended: string[] = [];
  const mustBeStored: string[] = [];
  for (let round = 0; round < 4; round++) {
    // Odd rounds run without a database: only the disk can keep what they append.
    const life = await killedChild(folder.dir, round % 2 ? "-" : store.url, round);
    appended.push(...life.appended);
    mustBeStored.push(...life.appended.slice(0, life.onDisk));
  }
  const last = new RecordWriter({ dir: folder.dir });
  last.useDatabase(store.url, null);
  expect((await last.close(20_000)).waiting).toBe(0);
  const rows = await store.db.sql<{ id: string }[]>`select id from decisions`;
  const stored = new Set((await readDecisions(store.db, appended)).map((each) => each.record.id));
  expect(stored.size).toBe(rows.length);
  expect(mustBeStored.filter((id) => !stored.has(id))).toEqual([]);
  expect(mustBeStored.length).toBeGreaterThan(0);
}, 120_000);

/** Runs the child for a while, another each round, after records of it first reached the disk, then kills it outright. */
async function killedChild(dir: string, url: string, round: number) {
  const child = spawn(process.execPath, [CHILD, dir, url, String(round)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.setEncoding("utf8");
  const started = new Promise<void>((resolve) => {
    child.stdout.on("data", (chunk: string) => {
      text += chunk;
      if (/^[1-9]/m.test(text)) resolve();
    });
  });
  await started;
  await new Promise((resolve) => setTimeout(resolve, 37 + 61 * round));
  const ended = new Promise((resolve) => child.once("close", resolve));
  child.kill("SIGKILL");
  await ended;
  const lines = text.split("\n").slice(0, -1);
  return {
    appended: lines.flatMap((line) => line.split(" ")[1]?.split(",") ?? []),
    onDisk: Number(lines.at(-1)?.split(" ")[0] ?? 0),
  };
}
