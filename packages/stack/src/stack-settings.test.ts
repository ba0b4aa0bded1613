import { isAbsolute } from "node:path";
import { expect, test } from "vitest";
import { stackSettings } from "./stack-settings.ts";

test("without any variable: embedded Postgres, simulated fleet, the documented ports", () => {
  expect(stackSettings({})).toMatchObject({
    databaseUrl: null,
    fleetFile: null,
    routerPort: 8080,
    routerAdminPort: 8081,
    consolePort: 3000,
  });
  expect(isAbsolute(stackSettings({}).dataDir)).toBe(true);
});

test("an empty variable counts as absent", () => {
  expect(stackSettings({ FLEET_FILE: "", DATABASE_URL: "" })).toMatchObject({
    fleetFile: null,
    databaseUrl: null,
  });
});

test("every faulty variable is named with its value", () => {
  const wrong = () => stackSettings({ ROUTER_PORT: "80a", CONSOLE_PORT: "70000", DATABASE_URL: "mysql://x" });
  expect(wrong).toThrow(/ROUTER_PORT=80a/);
  expect(wrong).toThrow(/CONSOLE_PORT=70000/);
  expect(wrong).toThrow(/DATABASE_URL=mysql:\/\/x: must be a postgres/);
});
