import { parseArgs } from "node:util";
import { type Db, openDb } from "../connect.ts";
import { countDecisions } from "../count-decisions.ts";
import { insertDecisions } from "../decisions.ts";
import { migrateDatabase } from "../migrate.ts";
import { ROLLUP_LAG_MS, rollUp } from "../rollup.ts";
import { multiplyDecisions } from "./multiply-decisions.ts";
import { DecisionSampler } from "./sample-decisions.ts";
import { STORE_QUERIES, type StoreQuery } from "./store-queries.ts";

/*
 * Fills an empty database with decisions and says what they cost to write, how much room they take and how long the
 * console's queries take. `npm run measure -w @evenkeel/db -- --database URL --rows 3000000 [--plans]`
 */
const SAMPLE_ROWS = 100_000;
const RATE = 100;
const BATCH = 500;
const START_MS = Date.UTC(2026, 8, 1);
const SPAN_MS = (SAMPLE_ROWS / RATE) * 1000;

const { values } = parseArgs({
  options: {
    database: { type: "string" },
    rows: { type: "string", default: "1000000" },
    plans: { type: "boolean", default: false },
  },
});
if (values.database === undefined) throw new Error("--database URL of an empty database is needed");

await migrateDatabase(values.database);
const db = openDb({ url: values.database });
try {
  const copies = Math.max(0, Math.round(Number(values.rows) / SAMPLE_ROWS) - 1);
  const [{ count } = { count: 0 }] = await db.sql<
    { count: number }[]
  >`select count(*)::int as count from decisions`;
  if (count === 0) {
    await writeSample(db);
    await multiplyDecisions(db, { startMs: START_MS, spanMs: SPAN_MS }, copies, (copy) =>
      process.stderr.write(`\r${copy + 1} × ${SAMPLE_ROWS} rows`),
    );
    process.stderr.write("\n");
    await rollUpAll(db, START_MS + (copies + 1) * SPAN_MS);
    await db.sql`vacuum analyze decisions`;
    await db.sql`vacuum analyze decision_minutes`;
  }
  await printSizes(db, (copies + 1) * SAMPLE_ROWS);
  await printQueries(db, START_MS, START_MS + (copies + 1) * SPAN_MS);
} finally {
  await db.close();
}

async function writeSample(db: Db): Promise<void> {
  const sampler = new DecisionSampler({
    startMs: START_MS,
    ratePerSecond: RATE,
    replicas: 64,
    models: 8,
    candidates: 10,
    seed: 1,
  });
  let wallMs = 0;
  let cpuUs = 0;
  for (let done = 0; done < SAMPLE_ROWS; done += BATCH) {
    const records = sampler.batch(BATCH);
    const startedAt = performance.now();
    const cpu = process.cpuUsage();
    await insertDecisions(db, records);
    const { user, system } = process.cpuUsage(cpu);
    wallMs += performance.now() - startedAt;
    cpuUs += user + system;
  }
  const perSecond = Math.round((1000 * SAMPLE_ROWS) / wallMs);
  console.log(
    `insertDecisions, batches of ${BATCH}: ${perSecond} rows/s, ${(cpuUs / SAMPLE_ROWS).toFixed(1)} µs of client CPU a row\n`,
  );
}

async function rollUpAll(db: Db, toMs: number): Promise<void> {
  const startedAt = performance.now();
  let minutes = 0;
  for (let isMore = true; isMore; ) {
    const result = await rollUp(db, toMs + ROLLUP_LAG_MS);
    minutes += result.minutes;
    isMore = result.isMore;
  }
  console.log(
    `rollup: ${((performance.now() - startedAt) / minutes).toFixed(0)} ms a minute of ${RATE * 60} decisions\n`,
  );
}

async function printSizes(db: Db, rows: number): Promise<void> {
  const sizes = await db.sql<{ name: string; bytes: number }[]>`
    select regexp_replace(c.relname, '_20\\d{6}', '') as name, sum(pg_relation_size(c.oid))::float8 as bytes
    from pg_class c where c.relname ~ '^decisions_20' and c.relkind in ('r', 'i') group by 1 order by 2 desc`;
  console.log("| relation | bytes a row |\n|---|---:|");
  for (const { name, bytes } of sizes) console.log(`| ${name} | ${(bytes / rows).toFixed(1)} |`);
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  console.log(`| **all** | **${(total / rows).toFixed(1)}** |\n`);
  console.log(
    `${rows} rows, ${(total / 2 ** 30).toFixed(2)} GiB; at 100 requests/s ${(((total / rows) * 8_640_000) / 1e9).toFixed(2)} GB a day\n`,
  );
}

async function printQueries(db: Db, fromMs: number, toMs: number): Promise<void> {
  console.log("| query | ms, first | ms, again | rows |\n|---|---:|---:|---:|");
  const plans: string[] = [];
  const [sample] = await db.sql<{ session: string }[]>`
    select session_hash as session from decisions
    where session_hash is not null and decided_at > ${new Date((fromMs + toMs) / 2)} limit 1`;
  const fill = (text: string) =>
    text
      .replaceAll("$from", literal(fromMs))
      .replaceAll("$to", literal(toMs))
      .replaceAll("$session", `'${sample?.session}'`);
  for (const query of STORE_QUERIES) {
    const first = await timed(db, query, fill);
    const again = await timed(db, query, fill);
    console.log(`| ${query.name} | ${first.ms.toFixed(0)} | ${again.ms.toFixed(0)} | ${again.rows} |`);
    if (values.plans && again.text !== null)
      plans.push(`### ${query.name}\n\n${await planOf(db, again.text)}\n`);
  }
  const counting = async () => {
    const startedAt = performance.now();
    const counts = await countDecisions(db, { fromMs, toMs, stepMs: 900_000, groupBy: "reason" });
    return { ms: performance.now() - startedAt, rows: counts.length };
  };
  const first = await counting();
  const again = await counting();
  console.log(
    `| counts by reason over time | ${first.ms.toFixed(0)} | ${again.ms.toFixed(0)} | ${again.rows} |`,
  );
  for (const plan of plans) console.log(`\n${plan}`);
}

/** Runs a page of a query, contexts first as the console does. */
async function timed(db: Db, query: StoreQuery, fill: (text: string) => string) {
  const startedAt = performance.now();
  let condition = fill(query.condition);
  if (query.contexts !== undefined) {
    const contexts = await db.sql.unsafe<{ num: number }[]>(
      `select num from decision_contexts c where ${fill(query.contexts)}`,
    );
    if (contexts.length === 0) return { ms: performance.now() - startedAt, rows: 0, text: null };
    condition += ` and d.context = any('{${contexts.map(({ num }) => num).join()}}')`;
  }
  const text = fill(
    `select d.id from decisions d where d.decided_at >= $from and d.decided_at < $to and ${condition}
      order by d.decided_at desc, d.id desc limit 101`,
  );
  const rows = await db.sql.unsafe(text);
  return { ms: performance.now() - startedAt, rows: rows.length, text };
}

async function planOf(db: Db, text: string): Promise<string> {
  const rows = await db.sql.unsafe<{ "QUERY PLAN": string }[]>(
    `explain (analyze, buffers, costs off, timing off) ${text}`,
  );
  return ["```", ...rows.map((row) => row["QUERY PLAN"]), "```"].join("\n");
}

function literal(timeMs: number): string {
  return `'${new Date(timeMs).toISOString()}'::timestamptz`;
}
