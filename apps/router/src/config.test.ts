import { expect, test } from "vitest";
import { ConfigError, readConfig } from "./config.ts";

test("a fleet file is all a router needs: loopback, the documented ports, no database", () => {
  expect(readConfig({ FLEET_FILE: "fleet.yaml" })).toMatchObject({
    host: "127.0.0.1",
    port: 8080,
    adminPort: 8081,
    fleetFile: "fleet.yaml",
    databaseUrl: null,
    policyFile: null,
    dataDir: ".data",
  });
});

test("an empty variable counts as absent", () => {
  expect(readConfig({ FLEET_FILE: "f", ROUTER_PORT: "", DATABASE_URL: "" })).toMatchObject({
    port: 8080,
    databaseUrl: null,
  });
});

test("every wrong variable is named with what it should be", () => {
  const read = () => readConfig({ ROUTER_PORT: "70000", DATABASE_URL: "mysql://x", ROUTER_DRAIN_MS: "soon" });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(/ROUTER_PORT: /);
  expect(read).toThrow(/DATABASE_URL: a postgres:\/\/ URL/);
  expect(read).toThrow(/ROUTER_DRAIN_MS: /);
  expect(read).toThrow(/FLEET_FILE is not set: set it to the path/);
});
