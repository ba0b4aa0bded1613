import { parentPort, workerData } from "node:worker_threads";
import { Drain } from "./drain.ts";
import type { DrainWorkerData, FromDrain, ToDrain } from "./worker-messages.ts";

/** How often the numbers are told while they change. */
const STATS_MS = 250;

const port = parentPort;
if (port === null) throw new Error("drain-worker.ts is started by RecordWriter, as a thread");

const tell = (message: FromDrain) => port.postMessage(message);
const drain = new Drain({
  ...(workerData as DrainWorkerData), // Cast: RecordWriter, the only one to start this thread, hands it over.
  onEvent: (event) => tell({ kind: "event", event }),
});
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

port.on("message", (message: ToDrain) => {
  if (message.kind === "database") {
    const { url, role, applicationName } = message;
    drain.useDatabase({ url, role, applicationName, max: 1 });
  } else if (message.kind === "block") {
    handled += message.records;
    drain.accept({ kind: message.block, records: message.records, payload: message.payload });
    // At once: the program shows what a kill would lose, and that has just become less.
    tellStats();
  } else {
    clearInterval(timer);
    void drain.close(message.limitMs).then((stats) => {
      tell({ kind: "closed", stats });
      port.close();
    });
  }
});
