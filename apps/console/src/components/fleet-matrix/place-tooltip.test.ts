import { expect, test } from "vitest";
import type { MatrixGeometry } from "./matrix-geometry.ts";
import { columnLeft, HEAD_HEIGHT } from "./matrix-geometry.ts";
import { placeTooltip } from "./place-tooltip.ts";
import { layoutRows } from "./row-layout.ts";
import { sampleGroup } from "./sample-matrix.ts";

const layout = layoutRows([sampleGroup("a", 6), sampleGroup("b", 2)], false, 700);
const geometry: MatrixGeometry = {
  width: 1200,
  height: 742,
  left: 84,
  plotWidth: 860,
  bodyHeight: Math.ceil(layout.height) + 4,
  scrollTop: 0,
  columns: 100,
  layout,
};
const box = { width: 216, height: 84 };

test("a tooltip covers neither names, numbers, its cell nor its group's head, wherever the cell is", () => {
  for (const laid of layout.groups) {
    for (const { row } of laid.group.rows) {
      for (const column of [0, 10, 50, 90, 99]) {
        const { x, y } = placeTooltip(geometry, { replica: row.id, column }, box);
        expect(x).toBeGreaterThanOrEqual(geometry.left);
        expect(x + box.width).toBeLessThanOrEqual(geometry.left + geometry.plotWidth);
        const cell = columnLeft(geometry, column);
        expect(x > cell || x + box.width < cell).toBe(true);
        if (laid.bodyHeight >= box.height) {
          expect(y).toBeGreaterThanOrEqual(laid.bodyY + HEAD_HEIGHT);
          expect(y + box.height).toBeLessThanOrEqual(laid.bodyY + laid.bodyHeight + HEAD_HEIGHT);
        }
      }
    }
  }
});

test("where it reaches over the next group's head, the words at both its ends stay readable", () => {
  const between = layoutRows(
    [sampleGroup("a", 2), { ...sampleGroup("b", 6), subtitle: "x".repeat(40) }],
    false,
    700,
  );
  const place = (column: number) =>
    placeTooltip({ ...geometry, layout: between }, { replica: "a-1", column }, box);
  expect(place(99).x + box.width).toBeLessThanOrEqual(geometry.left + geometry.plotWidth - 190);
  expect(place(0).x).toBeGreaterThan(40 * 6);
});

test("a short last group's tooltip reaches down over the axis, not up over its head", () => {
  const last = layout.groups.at(-1);
  const { y } = placeTooltip(geometry, { replica: "b-1", column: 99 }, box);
  expect(y).toBe((last?.bodyY ?? 0) + HEAD_HEIGHT);
});
