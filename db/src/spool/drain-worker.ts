import { parentPort, workerData } from "node:worker_threads";
import { Upkeep } from "../upkeep.ts";
import { Drain } from "./drain.ts";
import type { DrainWorkerData, FromDrain, ToDrain } from "./worker-messages.ts";

/** How often the numbers are told while they change. */
const STATS_MS = 250;
const UPKEEP_MS = 60_000;

const port = parentPort;
if (port === null) throw new Error("drain-worker.ts is started by RecordWriter, as a thread");

const tell = (message: FromDrain) => port.postMessage(message);
const drain = new Drain({
  ...(workerData as DrainWorkerData), // Cast: RecordWriter, the only one to start this thread, hands it over.
  onEvent: (event) => tell({ kind: "event", event }),
});
let upkeep: Upkeep | null = null;
let handled = 0;
let told = "";

function tellStats(): void {
  const stats = drain.stats();
  const now = `${handled} ${JSON.stringify(stats)}`;
  if (now === told) return;
  told = now;
  tell({ kind: "stats", stats, handled });
}

const timer = setInterval(tellStats, STATS_MS);

async function close(limitMs: number): Promise<void> {
  const [stats] = await Promise.all([drain.close(limitMs), upkeep?.close()]);
  tell({ kind: "closed", stats });
  port?.close();
}

port.on("message", (message: ToDrain) => {
  if (message.kind === "database") {
    const { url, role, applicationName } = message;
    drain.useDatabase({ url, role, applicationName, max: 1 });
    upkeep ??= new Upkeep({
      target: { url, role, applicationName: `${applicationName} upkeep` },
      intervalMs: UPKEEP_MS,
      onProblem: (problem) => tell({ kind: "event", event: { kind: "upkeep", problem } }),
    });
  } else if (message.kind === "block") {
    handled += message.records;
    drain.accept({ kind: message.block, records: message.records, payload: message.payload });
    // At once: the program shows what a kill would lose, and that has just become less.
    tellStats();
  } else {
    clearInterval(timer);
    void close(message.limitMs);
  }
});
