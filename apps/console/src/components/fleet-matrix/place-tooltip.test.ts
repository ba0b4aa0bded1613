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

test("where it reaches over a head, the median and spread at its end stay readable", () => {
  const { x } = placeTooltip(geometry, { replica: "b-1", column: 99 }, box);
  expect(x + box.width).toBeLessThanOrEqual(geometry.left + geometry.plotWidth - 190);
});
