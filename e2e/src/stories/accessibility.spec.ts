import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { ask } from "../ask.ts";
import { openDecision } from "../open-decision.ts";
import { PAGES, STRANGER_PAGES, THEMES } from "../pages.ts";
import { test } from "../stack-fixture.ts";

async function violations(page: Page): Promise<string[]> {
  const found = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
    .analyze();
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join("; ")}`);
}

for (const theme of THEMES) {
  test(`a decision's drawer has no accessibility violation in the ${theme} theme`, async ({
    page,
    openai,
    model,
  }) => {
    await page.addInitScript((chosen) => localStorage.setItem("theme", chosen), theme);
    await openDecision(page, (await ask(openai, model)).decision);
    expect(await violations(page)).toEqual([]);
  });

  for (const { name, path, shows } of PAGES) {
    test(`${name} has no accessibility violation in the ${theme} theme`, async ({ page }) => {
      await page.addInitScript((chosen) => localStorage.setItem("theme", chosen), theme);
      await page.goto(path);
      await expect(page.getByText(shows).first()).toBeVisible();
      await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
      expect(await violations(page)).toEqual([]);
    });
  }

  for (const { name, path, shows } of STRANGER_PAGES) {
    test(`${name} has no accessibility violation in the ${theme} theme`, async ({ strangerPage: page }) => {
      await page.addInitScript((chosen) => localStorage.setItem("theme", chosen), theme);
      await page.goto(path);
      await expect(page.getByText(shows).first()).toBeVisible();
      expect(await violations(page)).toEqual([]);
    });
  }
}
