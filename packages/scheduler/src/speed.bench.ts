/** Times on one core of what happens per request. Run: `npx node packages/scheduler/src/speed.bench.ts`. */
import { hashPrompt } from "./prefix-blocks.ts";
import { PrefixIndex } from "./prefix-index.ts";
import { seededRng } from "./rng.ts";
import { schedule } from "./schedule.ts";
import { TestFleet, testPolicy, testRequest, testSignals } from "./testing-fleet.ts";

const SCOPE = { adapter: null, cacheSalt: null };

/** Median time of one call in microseconds, over batches short enough that other work on the core spoils few of them. */
function callUs(call: () => void): number {
  const warmUntil = performance.now() + 400;
  let calls = 0;
  while (performance.now() < warmUntil) {
    call();
    calls++;
  }
  const batch = Math.max(1, Math.round(calls / 8000));
  const samples: number[] = [];
  const until = performance.now() + 600;
  while (performance.now() < until) {
    const startedAt = performance.now();
    for (let i = 0; i < batch; i++) call();
    samples.push((1000 * (performance.now() - startedAt)) / batch);
  }
  samples.sort((x, y) => x - y);
  return samples[samples.length >> 1] ?? Number.NaN;
}

/** A fleet with twelve decoding and two prefilling streams on every replica, and fresh signals. */
function busyFleet(replicas: number): TestFleet {
  const fleet = new TestFleet(replicas, testPolicy({ type: "predicted-cost", holding: false }));
  const rng = seededRng(7);
  for (let r = 0; r < replicas; r++) {
    fleet.state.observeSignals(`r${r}`, testSignals(900, { running: 12, queueDepth: 2 }));
    for (let i = 0; i < 14; i++) {
      const streamId = `s${r}-${i}`;
      const prompt = `${streamId}/`.repeat(200 + Math.floor(rng() * 2000));
      fleet.send(prompt, 0, { id: streamId }, `r${r}`);
      if (i < 12) {
        fleet.state.firstToken(streamId, 100 + 40 * i);
        fleet.state.tokens(streamId, 1 + Math.floor(rng() * 100), 900);
      }
    }
  }
  return fleet;
}

function report(what: string, us: number): void {
  console.log(`${what.padEnd(44)} ${us.toFixed(1).padStart(9)} us`);
}

for (const replicas of [4, 32, 256, 1000]) {
  const fleet = busyFleet(replicas);
  const request = testRequest("probe", "z".repeat(16_000), { arrivedAtMs: 990 });
  for (let r = 0; r < replicas; r += 2) fleet.send("z".repeat(16_000), 980, {}, `r${r}`);
  const signals = fleet.state.signalsFor(request, 1000);
  const rng = seededRng(3);
  const decide = (facts = signals) =>
    schedule({
      request,
      fleet: fleet.state.snapshot(1000),
      signals: facts,
      policy: fleet.policy,
      nowMs: 1000,
      rng,
    });
  report(`schedule() at ${replicas} replicas`, callUs(decide));
  report(
    `signalsFor() at ${replicas} replicas, half match`,
    callUs(() => fleet.state.signalsFor(request, 1000)),
  );
}

for (const kilobytes of [4, 64, 400]) {
  let text = "";
  for (let i = 0; text.length < kilobytes * 1024; i++) text += `${i} of the quick brown foxes; `;
  const prompt: string = JSON.parse(JSON.stringify(text.slice(0, kilobytes * 1024)));
  const prefix = hashPrompt([prompt], SCOPE);
  const index = new PrefixIndex(64 * 1024 * 1024);
  for (let slot = 0; slot < 16; slot++) index.insert(slot, prefix, prefix.totalUnits / 4);
  const into = new Uint32Array(16);
  report(
    `hash ${kilobytes} KB`,
    callUs(() => hashPrompt([prompt], SCOPE)),
  );
  report(
    `match ${kilobytes} KB on 16 replicas`,
    callUs(() => index.match(prefix, into.fill(0))),
  );
  report(
    `insert ${kilobytes} KB again`,
    callUs(() => index.insert(3, prefix, prefix.totalUnits / 4)),
  );
}

const index = new PrefixIndex(16 * 1024 * 1024);
const rng = seededRng(11);
for (let i = 0; i < 4000; i++) {
  index.insert(i % 8, hashPrompt([`${rng()} `.repeat(600)], SCOPE), 3000);
}
console.log(
  `index: ${index.blocks} blocks, ${index.pairs} pairs, ${(index.bytes / index.blocks).toFixed(1)} bytes per block`,
);
