import { expect, type Page } from "@playwright/test";
import { test } from "../stack-fixture.ts";

/** How many different colours the matrix shows: one when nothing is drawn. */
async function coloursOf(page: Page): Promise<number> {
  return await page
    .getByRole("application", { name: /by replica and time/ })
    .locator("canvas")
    .first()
    .evaluate((canvas) => {
      if (!(canvas instanceof HTMLCanvasElement)) return 0;
      const pixels = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
      const colours = new Set<number>();
      for (let at = 0; at < pixels.length; at += 4) {
        colours.add(((pixels[at] ?? 0) << 16) | ((pixels[at + 1] ?? 0) << 8) | (pixels[at + 2] ?? 0));
      }
      return colours.size;
    });
}

test("the heatmap fills with the fleet's values", async ({ page }) => {
  await page.goto("/fleet?from=now-15m&to=now");
  await expect(page.getByRole("application", { name: /KV occupancy by replica and time/i })).toBeVisible();
  await expect.poll(() => coloursOf(page)).toBeGreaterThan(20);
});

test("its table twin names every replica with its value and follows the fleet live", async ({ page }) => {
  await page.goto("/fleet?as=table&metric=running&from=now-15m&to=now");
  const table = page.getByRole("region", { name: "Replicas as a table" });
  for (const replica of ["r-01", "r-02", "r-03", "r-04"]) {
    await expect(table.getByRole("row").filter({ hasText: replica })).toBeVisible();
  }
  // In-flight work changes all the time under load: the page must follow by itself.
  const before = await table.innerHTML();
  await expect.poll(() => table.innerHTML(), { timeout: 30_000 }).not.toBe(before);
});

test("the metric and the time range live in the address", async ({ page }) => {
  await page.goto("/fleet");
  await page.getByRole("group", { name: "Metric" }).getByRole("button", { name: /queue/i }).click();
  await expect(page).toHaveURL(/metric=/);
  await page.getByRole("banner").getByRole("button", { name: /UTC/ }).click();
  await page.getByRole("button", { name: "15 m" }).click();
  await expect(page).toHaveURL(/from=now-15m/);
  await page.reload();
  await expect(page.getByRole("application", { name: /queue.* by replica and time/i })).toBeVisible();
});

test("a replica opens from the keyboard and closes with Escape", async ({ page }) => {
  await page.goto("/fleet?from=now-15m&to=now");
  const matrix = page.getByRole("application", { name: /by replica and time/ });
  await matrix.focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/open=r-0\d/);
  await page.keyboard.press("Escape");
  await expect(page).not.toHaveURL(/open=/);
});
