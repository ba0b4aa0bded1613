import { expect, type Page } from "@playwright/test";

let lastBaseMs = 2_000;

/** A policy of one rule for all models, unlike every other of this run. */
export function policyText(strategy: string): string {
  lastBaseMs++;
  return `version: 1
models:
  - name: "*"
    strategy: { type: ${strategy} }
    objectives: { ttftBaseMs: ${lastBaseMs} }
`;
}

/** Opens the editor and replaces its whole text. */
export async function writePolicy(page: Page, text: string): Promise<void> {
  await page.goto("/policies?tab=edit");
  const editor = page.getByRole("textbox", { name: "Policy text" });
  await editor.click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(text);
}

/** Publishes what the editor holds. Resolves with the new revision as soon as the console says that it is published. */
export async function publish(page: Page, why: string): Promise<number> {
  await page.getByLabel("Why").fill(why);
  await page.getByRole("button", { name: /^Publish rev \d+$/ }).click();
  const said = page.getByText(/^Rev \d+ is (published|applied)/);
  await expect(said).toBeVisible();
  return Number(/Rev (\d+)/.exec((await said.textContent()) ?? "")?.[1]);
}
