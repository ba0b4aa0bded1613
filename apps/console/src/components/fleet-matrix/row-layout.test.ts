import { expect, test } from "vitest";
import { layoutRows, rowAt, rowTop } from "./row-layout.ts";
import { sampleGroup } from "./sample-matrix.ts";

test("few rows grow into the room, up to 28 pixels; many keep 13 and scroll", () => {
  const few = layoutRows([sampleGroup("a", 6), sampleGroup("b", 2)], false, 700);
  expect(few.rowHeight).toBe(28);
  expect(layoutRows([sampleGroup("a", 48)], false, 700).rowHeight).toBe(14);
  const many = layoutRows([sampleGroup("a", 400)], false, 700);
  expect(many.rowHeight).toBe(13);
  expect(many.height).toBeGreaterThan(700);
});

test("what fits is never higher than the room", () => {
  for (const count of [1, 8, 30, 48, 53, 200, 1000]) {
    expect(layoutRows([sampleGroup("a", count)], true, 700).height).toBeLessThanOrEqual(700 + 1e-9);
  }
});

test("every row is found at its own place", () => {
  const groups = [sampleGroup("a", 6), sampleGroup("b", 2)];
  const layout = layoutRows(groups, false, 700);
  for (const { row } of groups.flatMap((each) => each.rows)) {
    const top = rowTop(layout, row.id) ?? Number.NaN;
    expect(rowAt(layout, top)?.ranked.row.id).toBe(row.id);
    expect(rowAt(layout, top + layout.rowHeight - 1)?.ranked.row.id).toBe(row.id);
  }
});

test("heads belong to no row, and who is not shown has no place", () => {
  const layout = layoutRows([sampleGroup("a", 3)], false, 700);
  expect(rowAt(layout, 3)).toBeNull();
  expect(rowTop(layout, "nobody")).toBeNull();
});
