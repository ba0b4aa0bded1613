import { expect, test } from "vitest";
import { parseAgenticLine, SessionIds } from "./agentic.ts";

const session = {
  id: "one",
  models: ["m"],
  tool_tokens: 64,
  system_tokens: 70,
  requests: [
    { type: "n", in: 330, out: 10, think_time: 0, hash_ids_delta: { keep: 0, add: [[1, 5]] } },
    {
      type: "subagent",
      requests: [{ type: "n", in: 130, out: 4, hash_ids_delta: { keep: 0, add: [[90, 91]] } }],
    },
    { type: "subagent", requests: [] },
    { type: "s", in: 460, out: 0, think_time: 900, hash_ids_delta: { keep: 4, add: [[7, 9]] } },
  ],
};

function parse(data: unknown, ids = new SessionIds()) {
  return parseAgenticLine(JSON.stringify(data), "t.jsonl", 3, ids, 300_000);
}

test("block ids are the kept ones and the added ranges; pauses are cut; sub-agents run side by side", () => {
  const { steps, maxTokens } = parse(session);
  expect(maxTokens).toBe(460);
  expect(steps.map(({ kind }) => kind)).toEqual(["request", "parallel", "request"]);
  const [first, agents, last] = steps;
  if (first?.kind !== "request" || agents?.kind !== "parallel" || last?.kind !== "request")
    throw new Error("shape");
  expect(agents.branches.map((branch) => branch.length)).toEqual([1, 0]);
  expect(last.thinkMs).toBe(300_000);
  expect(last.request.outputTokens).toBe(1);
  const before = Array.from(first.request.blockIds);
  const after = Array.from(last.request.blockIds);
  expect(after.slice(0, 4)).toEqual(before.slice(0, 4));
  expect(after).toHaveLength(7);
  expect(after.slice(4).some((id) => before.includes(id))).toBe(false);
});

test("sessions share exactly the blocks of equal tools and system prompts", () => {
  const ids = new SessionIds();
  const blocksOf = (data: unknown): number[] => {
    const [first] = parse(data, ids).steps;
    return first?.kind === "request" ? Array.from(first.request.blockIds) : [];
  };
  const one = blocksOf(session);
  const two = blocksOf({ ...session, id: "two" });
  const other = blocksOf({ ...session, id: "three", tool_tokens: 128 });
  expect(two.slice(0, 2)).toEqual(one.slice(0, 2));
  expect(two.slice(2).some((id) => one.includes(id))).toBe(false);
  expect(other.some((id) => one.includes(id))).toBe(false);
});

test("a wrong line is refused with its number and field", () => {
  expect(() => parse({ ...session, tool_tokens: -1 })).toThrow(/t\.jsonl, line 3: tool_tokens/);
  const [first] = session.requests;
  const broken = { ...first, hash_ids_delta: { keep: 5, add: [] } };
  expect(() => parse({ ...session, requests: [broken] })).toThrow(/hash_ids_delta\.keep: 5 of 0/);
});
