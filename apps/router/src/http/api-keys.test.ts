import { apiKeyHash } from "@evenkeel/db/api-keys";
import { expect, test } from "vitest";
import { ApiKeys } from "./api-keys.ts";

const key = (id: string, secret: string, maxInFlight: number | null = null) => ({
  id,
  name: id,
  hash: apiKeyHash(secret),
  maxInFlight,
});
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

test("without keys everybody may pass, with keys only their holders", () => {
  const keys = new ApiKeys(true);
  keys.admit({})();
  keys.replace({ isRequired: true, keys: [key("a", "ek_a"), key("b", "ek_b")] });
  keys.admit(bearer("ek_a"))();
  keys.admit({ "x-api-key": "ek_b" })();
  for (const headers of [{}, bearer("ek_c"), bearer(""), { authorization: "ek_a" }, { "x-api-key": "" }]) {
    expect(() => keys.admit(headers)).toThrow(expect.objectContaining({ code: "unauthorized" }));
  }
});

test("with the last key revoked nobody may pass", () => {
  const keys = new ApiKeys(true);
  keys.replace({ isRequired: true, keys: [] });
  expect(() => keys.admit(bearer("ek_a"))).toThrow(expect.objectContaining({ code: "unauthorized" }));
});

test("while it is not known whether there are keys nobody may pass", () => {
  const keys = new ApiKeys(false);
  expect(() => keys.admit({})).toThrow(expect.objectContaining({ code: "no_replica" }));
  keys.replace({ isRequired: false, keys: [] });
  keys.admit({})();
});

test("a key's limit counts its own requests only, and a place is free again when one is over", () => {
  const keys = new ApiKeys(true);
  keys.replace({ isRequired: true, keys: [key("a", "ek_a", 1), key("b", "ek_b", 1)] });
  const release = keys.admit(bearer("ek_a"));
  expect(() => keys.admit(bearer("ek_a"))).toThrow(expect.objectContaining({ code: "saturated" }));
  keys.admit(bearer("ek_b"))();
  release();
  keys.admit(bearer("ek_a"))();
});
