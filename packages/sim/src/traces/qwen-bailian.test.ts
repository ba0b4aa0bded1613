import { expect, test } from "vitest";
import { parseQwenBailianLine } from "./qwen-bailian.ts";

const line = {
  chat_id: 4,
  parent_chat_id: -1,
  timestamp: 1.5,
  input_length: 40,
  output_length: 3,
  type: "text",
  turn: 1,
  hash_ids: [1, 2, 3],
};

test("turns belong to the session of their first chat, through any number of parents", () => {
  const sessions = new Map<number, number>();
  const keyOf = (data: unknown): string | null =>
    parseQwenBailianLine(JSON.stringify(data), "q.jsonl", 1, sessions).sessionKey;
  expect(keyOf(line)).toBe("chat-4");
  expect(keyOf({ ...line, chat_id: 9, parent_chat_id: 4 })).toBe("chat-4");
  expect(keyOf({ ...line, chat_id: 12, parent_chat_id: 9 })).toBe("chat-4");
});

test("a wrong line is refused with its number and field", () => {
  const parse = (data: unknown): unknown =>
    parseQwenBailianLine(JSON.stringify(data), "q.jsonl", 8, new Map());
  expect(() => parse({ ...line, timestamp: "now" })).toThrow(/q\.jsonl, line 8: timestamp/);
});
