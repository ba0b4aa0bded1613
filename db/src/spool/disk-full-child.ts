import { DecisionSampler } from "../measure/sample-decisions.ts";
import { RecordWriter } from "./record-writer.ts";

/*
 * A program whose files a test keeps small: appends more decisions than they hold, prints where they are, then brings all of
 * them to the database and prints that. Arguments: folder of the spool, database URL.
 */
const [dir = "", url = ""] = process.argv.slice(2);
const DECISIONS = 2000;
const sampler = new DecisionSampler({
  startMs: Date.UTC(2026, 10, 30),
  ratePerSecond: 1000,
  replicas: 8,
  models: 2,
  candidates: 4,
  seed: 3,
});
const events: string[] = [];
const writer = new RecordWriter({ dir, flushMs: 5, onEvent: (event) => events.push(event.kind) });
for (const [i, record] of sampler.batch(DECISIONS).entries()) {
  writer.append(record);
  if (i % 100 === 99) writer.flush();
}
while (writer.stats().buffered > 0) await new Promise((resolve) => setTimeout(resolve, 10));
const full = writer.stats();
writer.useDatabase(url, null);
const closed = await writer.close(60_000);
process.stdout.write(JSON.stringify({ full, closed, events }));
