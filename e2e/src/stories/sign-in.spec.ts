import { expect } from "@playwright/test";
import { test } from "../stack-fixture.ts";

test("the first admin, made through the one-time link, signs in and out", async ({
  strangerPage: page,
  admin,
}) => {
  await page.goto("/");
  await expect(page).toHaveURL(/\/sign-in/);
  await page.getByLabel("E-mail").fill(admin.email);
  await page.getByLabel("Password").fill(admin.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/fleet/);

  await page.getByRole("button", { name: admin.name }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await page.goto("/policies");
  await expect(page).toHaveURL(/\/sign-in/);
});

test("a wrong password is refused and says so", async ({ strangerPage: page, admin }) => {
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(admin.email);
  await page.getByLabel("Password").fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert").filter({ hasText: /\S/ })).toBeVisible();
  await expect(page).toHaveURL(/\/sign-in/);
});

test("the sign-up link works once", async ({ strangerPage: page, admin, stack }) => {
  expect(admin.email).toContain("@");
  await page.goto(stack.setupUrl ?? "");
  await expect(page).toHaveURL(/\/sign-in/);
});

test("without a session the data is refused, not only the page", async ({ request, consoleUrl, admin }) => {
  expect(admin.session.cookies.length).toBeGreaterThan(0);
  const answer = await request.get(`${consoleUrl}/api/trpc/policies.live`, {
    headers: { cookie: "" },
    maxRedirects: 0,
  });
  expect(answer.status()).toBe(401);
});
