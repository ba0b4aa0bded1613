import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stackSettings } from "@evenkeel/stack/stack-settings";
import { type Stack, startStack } from "@evenkeel/stack/start-stack";
import { type BrowserContextOptions, test as base, expect, type Page } from "@playwright/test";
import OpenAI from "openai";

type StorageState = Exclude<BrowserContextOptions["storageState"], string | undefined>;

export interface Admin {
  name: string;
  email: string;
  password: string;
  /** Cookies of the signed-in browser. */
  session: StorageState;
}

interface ForEachStory {
  /** A page of a browser that nobody has signed in with. */
  strangerPage: Page;
  /** The official client, pointed at the router. */
  openai: OpenAI;
  /** Model name of the simulated fleet. */
  model: string;
}

interface ForAllStories {
  /** The whole system on free ports with a database of its own. */
  stack: Stack;
  consoleUrl: string;
  /** The first account, made through the one-time link as a person would. */
  admin: Admin;
}

export const test = base.extend<ForEachStory, ForAllStories>({
  stack: [
    // Playwright reads a fixture's needs from this pattern; this one needs none.
    // biome-ignore lint/correctness/noEmptyPattern: see above
    async ({}, use) => {
      const dataDir = mkdtempSync(join(tmpdir(), "evenkeel-e2e-"));
      chmodSync(dataDir, 0o755);
      const ports = { ROUTER_PORT: "0", ROUTER_ADMIN_PORT: "0", CONSOLE_PORT: "0" };
      const settings = stackSettings({ ...ports, DATA_DIR: dataDir, SIM_REPLICAS: "4", SIM_LOAD: "3" });
      const stack = await startStack(settings, {
        step: () => {},
        warn: (message) => console.log(`stack: ${message}`),
      });
      await use(stack);
      await stack.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
    { scope: "worker", timeout: 240_000 },
  ],

  consoleUrl: [
    async ({ stack }, use) => {
      if (stack.consoleUrl === null) throw new Error("the stack was started without a console");
      await use(stack.consoleUrl);
    },
    { scope: "worker" },
  ],

  admin: [
    async ({ browser, stack }, use) => {
      const account = { name: "Robin", email: "robin@example.test", password: "a long enough password" };
      if (stack.setupUrl === null) throw new Error("the console printed no sign-up link");
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(stack.setupUrl);
      await page.getByLabel("Name").fill(account.name);
      await page.getByLabel("E-mail").fill(account.email);
      await page.getByLabel("Password", { exact: true }).fill(account.password);
      await page.getByLabel("Password again").fill(account.password);
      await page.getByRole("button", { name: "Make admin and sign in" }).click();
      await expect(page.getByRole("navigation", { name: "Pages" })).toBeVisible();
      const session = await context.storageState();
      await context.close();
      await use({ ...account, session });
    },
    { scope: "worker", timeout: 60_000 },
  ],

  baseURL: async ({ consoleUrl }, use) => use(consoleUrl),
  storageState: async ({ admin }, use) => use(admin.session),

  strangerPage: async ({ browser, consoleUrl }, use) => {
    const context = await browser.newContext({
      baseURL: consoleUrl,
      storageState: { cookies: [], origins: [] },
    });
    await use(await context.newPage());
    await context.close();
  },

  openai: async ({ stack }, use) => {
    await use(new OpenAI({ baseURL: `${stack.routerUrl}/v1`, apiKey: "unused", maxRetries: 0 }));
  },

  model: async ({ stack }, use) => {
    const model = stack.simulation?.models[0];
    if (model === undefined) throw new Error("the stack was started without a simulated fleet");
    await use(model);
  },
});
