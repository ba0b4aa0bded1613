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
  now: {
    kvOccupancy: null,
    peerKvOccupancy: null,
    running: null,
    queueDepth: null,
    inFlight: null,
    ttftP50Ms: null,
    ttftP99Ms: null,
  },
  bins: { t0Ms: 0, stepMs: 1000, columns: 2 },
  points: [],
  views: [],
  decisions: { won: 0, lost: 0, failed: 0 },
};
const at = (kvOccupancy: number | null, peerKvOccupancy: number | null): ReplicaDetail => ({
  ...detail,
  now: { ...detail.now, kvOccupancy, peerKvOccupancy },
});

test("the sentence has the number and the distance to the peers, both ways", () => {
  const say = (own: number, peers: number) => replicaSentence(at(own, peers)).sentence;
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
  expect(replicaSentence(at(0.5, null)).sentence).toContain("no peers to compare with");
});

test("the sentence speaks of the newest reading, whatever the highest of a bin was", () => {
  const peak = {
    bin: 0,
    kvOccupancy: 1,
    peerKvOccupancy: 0.87,
    queueDepth: null,
    running: null,
    inFlight: null,
    ttftP50Ms: null,
    ttftP99Ms: null,
  };
  expect(replicaSentence({ ...at(0.69, 0.64), points: [peak] }).sentence).toBe(
    "r-17 is at 69\u00a0% KV, 5 points above the median of its peers (64\u00a0%).",
  );
});
