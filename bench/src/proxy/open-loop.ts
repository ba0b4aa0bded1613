import { ClientConnection, type Exchange } from "./client-connection.ts";
import { chatRequest } from "./prompt-bodies.ts";
import { type Quantiles, quantiles } from "./quantiles.ts";
import { seededRandom } from "./seeded-random.ts";

export interface OpenLoopInput {
  /** Where requests go, in turn. */
  readonly ports: readonly number[];
  readonly bodies: readonly Buffer[];
  readonly ratePerSecond: number;
  readonly durationMs: number;
  /** Requests due before this are sent and not counted. */
  readonly warmUpMs: number;
  /** How long answers are waited for after the last request; what has not come by then has failed. */
  readonly patienceMs: number;
  readonly seed: number;
}

export interface OpenLoopResult {
  readonly requests: number;
  readonly failed: number;
  /** Requests by the status of a failed answer; "none" for none. */
  readonly failures: Readonly<Record<string, number>>;
  /** From the moment a request was due to the last byte of its answer. */
  readonly latencyMs: Quantiles;
  /** From the moment a request was due to the first byte of its answer's body. */
  readonly firstByteMs: Quantiles;
  /** From the upstream's write of an event to its arrival here; null for answers that are not streams. */
  readonly eventMs: Quantiles | null;
  /** All requests and stream events of the run, those of the warm-up too: what the proxy's processor time is for. */
  readonly allRequests: number;
  readonly allEvents: number;
  /** How late the generator itself was: what the figures above contain of its own making. */
  readonly lateMs: Quantiles;
}

/** Timers are good to about a millisecond: closer than this to the next request the loop spins. */
const SPIN_MS = 2;

interface Sent {
  readonly dueAtMs: number;
  readonly exchange: Exchange;
  readonly isCounted: boolean;
}

/**
 * Sends requests at the moments of a seeded Poisson process, whatever the answers do, and measures each from the moment
 * it was due. A slow target therefore cannot thin out the load that shows it to be slow (coordinated omission).
 */
export async function runOpenLoop(input: OpenLoopInput): Promise<OpenLoopResult> {
  const random = seededRandom(input.seed);
  const requests = input.ports.map((port) => input.bodies.map((body) => chatRequest(port, body)));
  const idle: ClientConnection[][] = input.ports.map(() => []);
  const all: ClientConnection[] = [];
  const sent: Sent[] = [];
  const lateMs: number[] = [];
  let open = 0;
  let count = 0;

  const sendOne = (dueAtMs: number, isCounted: boolean): void => {
    const lane = count % input.ports.length;
    const request = requests[lane]?.[count % input.bodies.length];
    const port = input.ports[lane];
    const free = idle[lane];
    if (request === undefined || port === undefined || free === undefined)
      throw new Error("no port, no body");
    count++;
    let connection = free.pop();
    while (connection?.isClosed) connection = free.pop();
    if (connection === undefined) {
      connection = new ClientConnection(port, (freed) => free.push(freed));
      all.push(connection);
    }
    open++;
    const exchange = connection.send(request, () => open--);
    sent.push({ dueAtMs, exchange, isCounted });
    if (isCounted) lateMs.push(performance.now() - dueAtMs);
  };

  const startMs = performance.now();
  const endMs = startMs + input.durationMs;
  const nextGap = () => (-Math.log(1 - random()) * 1_000) / input.ratePerSecond;
  let dueAtMs = startMs + nextGap();
  await new Promise<void>((resolve) => {
    const step = (): void => {
      const nowMs = performance.now();
      while (dueAtMs <= nowMs && dueAtMs < endMs) {
        sendOne(dueAtMs, dueAtMs - startMs >= input.warmUpMs);
        dueAtMs += nextGap();
      }
      const restMs = dueAtMs - performance.now() - SPIN_MS;
      if (dueAtMs >= endMs) resolve();
      else if (restMs > 0) setTimeout(step, restMs);
      else setImmediate(step);
    };
    step();
  });
  const patienceEndMs = performance.now() + input.patienceMs;
  while (open > 0 && performance.now() < patienceEndMs)
    await new Promise((resolve) => setTimeout(resolve, 5));
  const summary = summarise(sent, lateMs);
  for (const connection of all) connection.destroy();
  return summary;
}

function summarise(sent: readonly Sent[], lateMs: readonly number[]): OpenLoopResult {
  const counted = sent.filter(({ isCounted }) => isCounted);
  const latencies: number[] = [];
  const firstBytes: number[] = [];
  const failures: Record<string, number> = {};
  for (const { dueAtMs, exchange } of counted) {
    if (exchange.status !== 200 || exchange.endedAtMs === null || exchange.firstByteAtMs === null) {
      const reason = exchange.status === 200 ? "cut off" : String(exchange.status ?? "none");
      failures[reason] = (failures[reason] ?? 0) + 1;
      continue;
    }
    latencies.push(exchange.endedAtMs - dueAtMs);
    firstBytes.push(exchange.firstByteAtMs - dueAtMs);
  }
  const eventMs = counted.flatMap(({ exchange }) => exchange.eventMs);
  return {
    requests: counted.length,
    failed: counted.length - latencies.length,
    failures,
    latencyMs: quantiles(latencies),
    firstByteMs: quantiles(firstBytes),
    eventMs: eventMs.length === 0 ? null : quantiles(eventMs),
    allRequests: sent.length,
    allEvents: sent.reduce((sum, { exchange }) => sum + exchange.events, 0),
    lateMs: quantiles(lateMs),
  };
}
