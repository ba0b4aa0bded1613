import { expect, test } from "vitest";
import { AdapterShelf } from "./adapter-shelf.ts";

function shelfWith(...adapters: string[]): AdapterShelf {
  const shelf = new AdapterShelf();
  for (const adapter of adapters) {
    shelf.open(adapter, 0);
    shelf.close(adapter);
  }
  return shelf;
}

test("an adapter is cold at first, resident once used, and warm when others have pushed it off the GPU", () => {
  const shelf = new AdapterShelf();
  expect(shelf.loadMs("a")).toBe(1000);
  shelf.open("a", 0);
  shelf.close("a");
  expect(shelf.loadMs("a")).toBe(0);
  for (const other of ["b", "c", "d", "e"]) {
    shelf.open(other, 1);
    shelf.close(other);
  }
  expect(shelf.loadMs("a")).toBe(30);
});

test("an adapter in use is not pushed out", () => {
  const shelf = new AdapterShelf();
  shelf.open("busy", 0);
  for (const other of ["b", "c", "d", "e", "f"]) {
    shelf.open(other, 1);
    shelf.close(other);
  }
  expect(shelf.isResident("busy")).toBe(true);
  expect(shelf.resident).toHaveLength(4);
});

test("with a slot free there is no wait; with every slot in use there is one, as long as the least used adapter takes", () => {
  const shelf = shelfWith("a", "b", "c", "d");
  expect(shelf.outlook("new", 1000, false, 0).slotWaitMs).toBe(0);
  for (const adapter of ["a", "b", "c", "d"]) {
    shelf.open(adapter, 0);
    shelf.open(adapter, 0);
  }
  expect(shelf.outlook("new", 1000, false, 0).slotWaitMs).toBeCloseTo(1500);
});

test("pushing out an adapter that is asked for costs its next load, one that nobody asks for costs nothing", () => {
  const shelf = shelfWith("a", "b", "c", "d");
  expect(shelf.outlook("new", 1000, false, 0).evictionMs).toBeCloseTo(30);
  expect(shelf.outlook("new", 1000, false, 3_600_000).evictionMs).toBeCloseTo(0);
});

test("when enough replicas hold the adapter one more copy costs a load more; those that hold it are not charged", () => {
  const shelf = shelfWith("a");
  expect(shelf.outlook("new", 1000, true, 0).evictionMs).toBe(1000);
  expect(shelf.outlook("a", 1000, true, 0)).toEqual({ loadMs: 0, slotWaitMs: 0, evictionMs: 0 });
});

test("an engine's list confirms residency, and a restart forgets it", () => {
  const shelf = new AdapterShelf();
  shelf.confirm("a");
  expect(shelf.isResident("a")).toBe(true);
  shelf.clear();
  expect(shelf.loadMs("a")).toBe(1000);
});

test("thousands of adapters stay within what an engine can hold", () => {
  const shelf = new AdapterShelf();
  for (let i = 0; i < 5000; i++) {
    shelf.open(`a${i}`, i);
    shelf.close(`a${i}`);
  }
  expect(shelf.resident).toHaveLength(4);
  expect(shelf.holds("a4999")).toBe(true);
  expect(shelf.holds("a4000")).toBe(false);
});
