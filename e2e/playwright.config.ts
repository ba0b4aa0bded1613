import { defineConfig, devices } from "@playwright/test";
import { findChromium } from "./src/chromium.ts";

const executablePath = findChromium();
const jsonReport = process.env.PLAYWRIGHT_JSON_OUTPUT_FILE;

export default defineConfig({
  testDir: "src/stories",
  outputDir: "../test-results",
  // One stack, shared by all stories: they publish policies and stop replicas.
  workers: 1,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  // Room for a busy machine; what is promised in time is asserted in its story.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: jsonReport ? [["list"], ["json", { outputFile: jsonReport }]] : [["list"]],
  use: {
    ...devices["Desktop Chrome"],
    viewport: { width: 1440, height: 900 },
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: [
        ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run"],
        ["--disable-background-networking", "--disable-component-update", "--disable-sync"],
      ].flat(),
    },
  },
});
