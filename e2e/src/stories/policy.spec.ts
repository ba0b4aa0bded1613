import { expect } from "@playwright/test";
import { ask } from "../ask.ts";
import { policyText, publish, writePolicy } from "../policy-editor.ts";
import { test } from "../stack-fixture.ts";

test("publishing round-robin takes effect in under 3 s without a restart", async ({
  page,
  openai,
  model,
}) => {
  const before = await ask(openai, model);
  await writePolicy(page, policyText("round-robin"));
  const revision = await publish(page, "Compare with plain turns");
  expect(revision).toBeGreaterThan(before.policy);
  await expect.poll(async () => (await ask(openai, model)).policy, { timeout: 3_000 }).toBe(revision);
  await expect(
    page.getByText(new RegExp(`^Rev ${revision} is applied by 1 of 1 router in [0-2]\\.\\d s`)),
  ).toBeVisible();

  await page.goto("/policies?tab=versions");
  await expect(page.getByText("Compare with plain turns").first()).toBeVisible();
});

test("an edit on a stale base gets the conflict view, keeps its text, and can be merged", async ({
  page,
  context,
}) => {
  await writePolicy(page, policyText("least-request"));
  await page.getByLabel("Why").fill("Mine");

  const other = await context.newPage();
  await writePolicy(other, policyText("predicted-cost"));
  const theirs = await publish(other, "Theirs");
  await other.close();

  await expect(page.getByText(new RegExp(`published rev ${theirs} while you edit`))).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Policy text" })).toContainText("least-request");
  await page.getByRole("button", { name: /^Resolve/ }).click();
  // Both changed the strategy and its objective: each is decided by itself.
  for (const mine of await page.getByRole("radio", { name: /^Mine/ }).all()) await mine.check();
  await page.getByRole("button", { name: "Continue with this text" }).click();
  await expect(page.getByRole("textbox", { name: "Policy text" })).toContainText("least-request");
  expect(await publish(page, "Mine, on top of theirs")).toBe(theirs + 1);
});

test("a publish on a base that is no longer live is refused by the server and changes nothing", async ({
  page,
  openai,
  model,
}) => {
  await writePolicy(page, policyText("least-request"));
  const base = await publish(page, "The revision in force");
  await expect.poll(async () => (await ask(openai, model)).policy).toBe(base);
  const answer = await page.request.post("/api/trpc/policies.publish", {
    headers: { origin: new URL(page.url()).origin },
    data: { json: { source: policyText("round-robin"), baseRevision: base - 1, reason: "stale" } },
  });
  expect(answer.status()).toBe(200);
  expect(await answer.json()).toMatchObject({
    result: { data: { json: { kind: "conflict", live: { revision: base } } } },
  });
  expect((await ask(openai, model)).policy).toBe(base);
});

test("an invalid document is refused at its line and routing goes on", async ({ page, openai, model }) => {
  const before = await ask(openai, model);
  await writePolicy(page, policyText("fastest-please"));
  const problems = page.getByRole("list", { name: "Problems" });
  await expect(problems).toContainText("line 4");
  await expect(problems).toContainText("strategy.type");
  await page.getByLabel("Why").fill("Cannot work");
  await page.getByRole("button", { name: /^Publish rev/ }).click({ force: true });
  await expect(page.getByText(/^The draft has 1 problem; routing stays on rev/)).toBeVisible();
  expect((await ask(openai, model)).policy).toBe(before.policy);
});

test("a rollback publishes the old document as a new revision", async ({ page, openai, model }) => {
  await writePolicy(page, policyText("least-request"));
  const kept = await publish(page, "Worth going back to");
  await writePolicy(page, policyText("round-robin"));
  const undone = await publish(page, "To be undone");

  await page.goto("/policies?tab=versions");
  await page.getByRole("button", { name: `rev ${kept}`, exact: true }).click();
  await page.getByLabel("Why").fill("Turns were worse");
  await page.getByRole("button", { name: `Roll back to rev ${kept} as rev ${undone + 1}` }).click();
  await expect(page.getByText(`Rev ${undone + 1} is published with the text of rev ${kept}.`)).toBeVisible();
  await expect.poll(async () => (await ask(openai, model)).policy).toBe(undone + 1);
});
