import { expect, type Locator, type Page } from "@playwright/test";

/** Opens one decision's drawer, waiting until the decision has been stored. */
export async function openDecision(page: Page, id: string): Promise<Locator> {
  const drawer = page.getByRole("complementary", { name: `Decision ${id}` });
  await expect
    .poll(
      async () => {
        await page.goto(`/decisions?open=${id}`);
        await expect(drawer.getByText(/Candidates|cannot be shown/).first()).toBeVisible();
        return await drawer.getByRole("region", { name: "Candidates" }).isVisible();
      },
      { timeout: 45_000 },
    )
    .toBe(true);
  return drawer;
}
