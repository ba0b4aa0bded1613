import { defineConfig } from "@playwright/test";
import stories from "./playwright.config.ts";

/** `npm run shots -w @evenkeel/e2e`: a picture of every page in both themes, into e2e/screenshots. */
export default defineConfig({ ...stories, testDir: "src/shots", reporter: [["list"]] });
