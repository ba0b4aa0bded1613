import { expect, type Locator, type Page } from "@playwright/test";

/** Opens one decision's drawer, once the decision has been stored: it is written off the request's path. */
export async function openDecision(page: Page, id: string): Promise<Locator> {
  const input = encodeURIComponent(JSON.stringify({ json: { id } }));
  await expect
    .poll(async () => (await page.request.get(`/api/trpc/decisions.byId?input=${input}`)).status(), {
      timeout: 60_000,
    })
    .toBe(200);
  await page.goto(`/decisions?open=${id}`);
  const drawer = page.getByRole("complementary", { name: `Decision ${id}` });
  await expect(drawer.getByRole("region", { name: "Candidates" })).toBeVisible();
  return drawer;
}
