import type { ReplayReport } from "@evenkeel/sim/http-replay";
import { expect, test } from "vitest";
import { replayTable, withReplaySection } from "./replay-table.ts";

const report: ReplayReport = {
  requests: 900,
  completed: 899,
  rejected: 0,
  failed: 1,
  goodput: 0.991,
  ttftMissShare: 0.005,
  itlMissShare: 0.004,
  ttftMs: { p50: 311.4, p90: 1204, p99: 2711 },
  itlMs: null,
  hitRate: null,
  loadCv: 0.1234,
  durationMs: 1,
  sendDelayP99Ms: 1,
  perReplica: {},
  errors: {},
};

test("one row per strategy, and what was not measured is a dash, not a zero", () => {
  const [, , row] = replayTable([{ strategy: "round-robin", report }]).split("\n");
  const cells = row?.split("|").map((cell) => cell.trim());
  expect(cells?.slice(1, -1)).toEqual([
    "round-robin",
    "311",
    "1,204",
    "2,711",
    "–",
    "–",
    "0.123",
    "99.1 %",
    "900",
    "1",
  ]);
});

test("a document keeps everything around the replay section", () => {
  const first = withReplaySection("# Quality\n\nBefore.\n", "old table");
  const second = withReplaySection(`${first}\nAfter.\n`, "new table");
  expect(second).toContain("Before.");
  expect(second).toContain("new table");
  expect(second).not.toContain("old table");
  expect(second).toContain("After.");
});
