import { expect } from "@playwright/test";
import { ask } from "../ask.ts";
import { openDecision } from "../open-decision.ts";
import { policyText, publish, writePolicy } from "../policy-editor.ts";
import { test } from "../stack-fixture.ts";

test("a streamed request of the official client appears in Decisions with its candidates", async ({
  page,
  openai,
  model,
  stack,
}) => {
  const answer = await ask(openai, model);
  expect(answer.text).not.toBe("");
  expect(answer.decision).toMatch(/^dec_/);

  const drawer = await openDecision(page, answer.decision);
  const candidates = drawer.getByRole("region", { name: "Candidates" });
  for (const { id } of stack.simulation?.replicas ?? []) await expect(candidates).toContainText(id);
  await expect(drawer.getByRole("region", { name: "Predicted against actual" })).toBeVisible();
  await expect(drawer).toContainText(answer.replica);
});

test("the list follows the traffic and filters from the address", async ({ page }) => {
  await page.goto("/decisions?from=now-15m&to=now");
  const list = page.getByRole("region", { name: "List of decisions" });
  await expect(list.getByRole("button", { name: /^Open decision of r-0/ }).first()).toBeVisible();

  await page.goto("/decisions?from=now-15m&to=now&chosen=r-03");
  await expect(list.getByRole("button", { name: /^Open decision of / }).first()).toBeVisible();
  const others = list.getByRole("button", { name: /^Open decision of (?!r-03)/ });
  await expect(others).toHaveCount(0);
});

test("decisions made after a publish carry its revision", async ({ page, openai, model }) => {
  await writePolicy(page, policyText("least-request"));
  const revision = await publish(page, "Later decisions must say so");
  await expect.poll(async () => (await ask(openai, model)).policy).toBe(revision);
  const { decision } = await ask(openai, model);
  await expect(await openDecision(page, decision)).toContainText(`rev ${revision}`);
});
