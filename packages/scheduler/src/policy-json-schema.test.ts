import { expect, test } from "vitest";
import { STRATEGY_CATALOG } from "./catalog.ts";
import { policyJsonSchema } from "./policy-json-schema.ts";

/** Every named field of a JSON Schema with its own schema. */
function fields(schema: unknown, path = ""): [string, Record<string, unknown>][] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => {
    if (key === "properties" && typeof value === "object" && value !== null) {
      return Object.entries(value).flatMap(([name, field]) => [
        [`${path}.${name}`, field] as [string, Record<string, unknown>],
        ...fields(field, `${path}.${name}`),
      ]);
    }
    return fields(value, path);
  });
}

test("every field of the policy carries help", () => {
  const bare = fields(policyJsonSchema()).filter(([, schema]) => typeof schema["description"] !== "string");
  expect(bare.map(([path]) => path)).toEqual([]);
});

test("only what has no default is required", () => {
  const schema = policyJsonSchema();
  expect(schema.required).toEqual(["version", "models"]);
});

test("every strategy of the catalog can be chosen", () => {
  const text = JSON.stringify(policyJsonSchema());
  for (const { type } of STRATEGY_CATALOG) expect(text).toContain(`"${type}"`);
});
