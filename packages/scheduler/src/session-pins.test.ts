import { expect, test } from "vitest";
import { SessionPins } from "./session-pins.ts";

test("a session's pin says where it is, since when, and how often it has moved", () => {
  const pins = new SessionPins(10);
  pins.bind("m", "s", "a", 100);
  pins.bind("m", "s", "a", 200);
  expect(pins.find("m", "s", 200)).toMatchObject({ replica: "a", sinceMs: 100, lastUsedAtMs: 200, moves: 0 });
  pins.bind("m", "s", "b", 300);
  expect(pins.find("m", "s", 300)).toMatchObject({ replica: "b", sinceMs: 300, moves: 1 });
});

test("sessions of two models with one key have nothing to do with each other", () => {
  const pins = new SessionPins(10);
  pins.bind("m", "s", "a", 0);
  expect(pins.find("other", "s", 0)).toBeNull();
});

test("a pin expires after its time to live, and starts anew afterwards", () => {
  const pins = new SessionPins(10, 1000);
  pins.bind("m", "s", "a", 0);
  expect(pins.find("m", "s", 1000)).not.toBeNull();
  expect(pins.find("m", "s", 1001)).toBeNull();
  pins.bind("m", "s", "b", 2000);
  expect(pins.find("m", "s", 2000)).toMatchObject({ sinceMs: 2000, moves: 0, tokenCost: 0 });
});

test("past the limit the session unused for longest goes first", () => {
  const pins = new SessionPins(2);
  pins.bind("m", "old", "a", 0);
  pins.bind("m", "busy", "a", 1);
  pins.bind("m", "old", "a", 2);
  pins.bind("m", "new", "a", 3);
  expect(pins.find("m", "busy", 3)).toBeNull();
  expect(pins.size).toBe(2);
});

test("token cost adds up over moves and is forgotten with the pin", () => {
  const pins = new SessionPins(2);
  pins.bind("m", "s", "a", 0);
  pins.charge("m", "s", 500);
  pins.bind("m", "s", "b", 1);
  pins.charge("m", "s", 250);
  expect(pins.find("m", "s", 1)?.tokenCost).toBe(750);
  pins.unpin("m", "s");
  expect([...pins.all()]).toEqual([]);
});
