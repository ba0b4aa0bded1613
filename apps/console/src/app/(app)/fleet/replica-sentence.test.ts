import { expect, test } from "vitest";
import type { ReplicaDetail } from "#server/fleet/read-replica.ts";
import { replicaSentence } from "./replica-sentence.ts";

const detail: ReplicaDetail = {
  id: "r-17",
  model: "m",
  engine: "vllm",
  role: "unified",
  segment: "s",
  labels: {},
  firstSeenMs: 0,
  lastSeenMs: 0,
  removedMs: null,
  bins: { t0Ms: 0, stepMs: 1000, columns: 2 },
  points: [],
  views: [],
  decisions: { won: 0, lost: 0, failed: 0 },
};
const point = (kvOccupancy: number | null, peerKvOccupancy: number | null) => ({
  bin: 0,
  kvOccupancy,
  peerKvOccupancy,
  queueDepth: null,
  running: null,
  inFlight: null,
  ttftP50Ms: null,
  ttftP99Ms: null,
});

test("the sentence has the number and the distance to the peers, both ways", () => {
  const say = (own: number, peers: number) =>
    replicaSentence({ ...detail, points: [point(own, peers)] }).sentence;
  expect(say(0.94, 0.74)).toBe(
    "r-17 is at 94\u00a0% KV, 20 points above the median of its peers (74\u00a0%).",
  );
  expect(say(0.61, 0.74)).toContain("13 points below");
  expect(say(0.74, 0.74)).toContain("as full as its peers");
});

test("what is not known is said", () => {
  expect(replicaSentence(detail)).toEqual({
    sentence: "r-17 reports no KV occupancy.",
    detail: "Not seen in this range.",
  });
  expect(replicaSentence({ ...detail, points: [point(0.5, null)] }).sentence).toContain(
    "no peers to compare with",
  );
});
