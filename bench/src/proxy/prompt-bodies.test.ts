import { expect, test } from "vitest";
import { BODY_SIZES_KB, promptBodies } from "./prompt-bodies.ts";

interface Body {
  readonly stream: boolean;
  readonly user: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

const parse = (body: Buffer): Body => JSON.parse(body.toString());

test.each(BODY_SIZES_KB)("bodies of %i KiB are that long on average, within a sixth", (bodyKb) => {
  const bodies = promptBodies(bodyKb, false, 1);
  const mean = bodies.reduce((sum, { length }) => sum + length, 0) / bodies.length;
  expect(Math.abs(mean / (bodyKb * 1_024) - 1)).toBeLessThan(1 / 6);
});

test("equal seeds give equal bytes, other seeds others", () => {
  expect(promptBodies(4, true, 7)).toEqual(promptBodies(4, true, 7));
  expect(promptBodies(4, true, 7)).not.toEqual(promptBodies(4, true, 8));
});

test("a session's next turn repeats the one before and adds to it; the system prompt is everybody's", () => {
  const bodies = promptBodies(64, false, 1).map(parse);
  const systems = new Set(bodies.map(({ messages }) => messages[0]?.content));
  expect(systems.size).toBe(1);
  for (const turns of Map.groupBy(bodies, ({ user }) => user).values()) {
    for (const [index, turn] of turns.entries()) {
      const earlier = turns[index - 1]?.messages ?? [];
      expect(turn.messages.slice(0, earlier.length)).toEqual(earlier);
      expect(turn.messages.length).toBeGreaterThan(earlier.length);
      expect(turn.messages.at(-1)?.role).toBe("user");
    }
  }
});
