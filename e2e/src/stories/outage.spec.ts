import { expect } from "@playwright/test";
import { ask } from "../ask.ts";
import { openDecision } from "../open-decision.ts";
import { test } from "../stack-fixture.ts";

test("a dead replica is skipped and comes back by itself", async ({ stack, openai, model }) => {
  await stack.simulation?.fault("r-02", { kind: "refuse" });
  for (let request = 0; request < 20; request++) {
    const answer = await ask(openai, model, `Question ${request} to a fleet with a dead replica`);
    expect(answer.replica).not.toBe("r-02");
  }
  await stack.simulation?.fault("r-02", { kind: "clear" });
  await expect
    .poll(async () => (await ask(openai, model, `Question ${Math.random()}`)).replica, {
      timeout: 60_000,
      intervals: [100],
    })
    .toBe("r-02");
});

test("while the database is away requests go on, the console says so, and what was decided arrives", async ({
  page,
  stack,
  openai,
  model,
}) => {
  await page.goto("/decisions");
  await expect(page.getByRole("region", { name: "List of decisions" })).toBeVisible();

  await stack.database?.pause();
  const answers = [];
  for (let request = 0; request < 5; request++) answers.push(await ask(openai, model));
  expect(answers.every(({ text }) => text !== "")).toBe(true);
  await expect(page.getByRole("alert").filter({ hasText: /Database away/ })).toBeVisible({ timeout: 60_000 });

  await stack.database?.resume();
  await expect(page.getByRole("alert").filter({ hasText: /Database away/ })).toBeHidden({ timeout: 60_000 });
  for (const { decision } of answers) await openDecision(page, decision);
});
