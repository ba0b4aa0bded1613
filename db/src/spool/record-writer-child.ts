import { DecisionSampler } from "../measure/sample-decisions.ts";
import { RecordWriter } from "./record-writer.ts";

/*
 * A program that a test kills: appends decisions without end and prints, line by line, how many of those so far it knows
 * to be on disk, and the ids of the new ones. Arguments: folder of the spool, database URL ("-" for none), seed.
 */
const [dir = "", url = "-", seed = "1"] = process.argv.slice(2);
const sampler = new DecisionSampler({
  startMs: Date.UTC(2026, 10, 30),
  ratePerSecond: 1000,
  replicas: 8,
  models: 2,
  candidates: 4,
  seed: Number(seed),
});
const writer = new RecordWriter({ dir, flushMs: 50, retryMs: [20, 200] });
if (url !== "-") writer.useDatabase(url, null);

let appended = 0;
setInterval(() => {
  const records = sampler.batch(10);
  for (const record of records) writer.append(record);
  appended += records.length;
  process.stdout.write(
    `${appended - writer.stats().buffered} ${records.map((record) => record.id).join(",")}\n`,
  );
}, 5);
