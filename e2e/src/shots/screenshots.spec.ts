import { join } from "node:path";
import { expect } from "@playwright/test";
import { PAGES, STRANGER_PAGES, THEMES } from "../pages.ts";
import { test } from "../stack-fixture.ts";

const FOLDER = join(import.meta.dirname, "..", "..", "screenshots");

for (const theme of THEMES) {
  for (const { name, path, shows } of PAGES) {
    test(`${name}, ${theme}`, async ({ page }) => {
      await page.addInitScript((chosen) => localStorage.setItem("theme", chosen), theme);
      await page.goto(path);
      await expect(page.getByText(shows).first()).toBeVisible();
      await page.waitForTimeout(1_500);
      await page.screenshot({ path: join(FOLDER, `${name}-${theme}.png`) });
    });
  }

  test(`decision drawer, ${theme}`, async ({ page }) => {
    await page.addInitScript((chosen) => localStorage.setItem("theme", chosen), theme);
    await page.goto("/decisions?from=now-15m&to=now");
    await page
      .getByRole("button", { name: /^Open decision of r-/ })
      .first()
      .click();
    await expect(page.getByRole("region", { name: "Candidates" })).toBeVisible();
    await page.waitForTimeout(1_000);
    await page.screenshot({ path: join(FOLDER, `decision-${theme}.png`) });
  });

  for (const { name, path, shows } of STRANGER_PAGES) {
    test(`${name}, ${theme}`, async ({ strangerPage: page }) => {
      await page.addInitScript((chosen) => localStorage.setItem("theme", chosen), theme);
      await page.goto(path);
      await expect(page.getByText(shows).first()).toBeVisible();
      await page.screenshot({ path: join(FOLDER, `${name}-${theme}.png`) });
    });
  }
}
