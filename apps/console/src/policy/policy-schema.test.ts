import { expect, test } from "vitest";
import { fieldsAt, helpAt } from "./policy-schema.ts";

test("a field's help has its description, default and range", () => {
  expect(helpAt(["models", 0, "retries", "maxAttempts"])).toMatchObject({
    name: "maxAttempts",
    facts: ["default 3", "1 to 10"],
    isRequired: false,
    isBlock: false,
  });
  expect(helpAt(["models", 0, "retries", "maxAttempts"])?.description).not.toBe("");
});

test("a list element may be named by its key, as in a diff", () => {
  expect(helpAt(["models", "llama", "sessions", "moveMargin"])?.name).toBe("moveMargin");
});

test("the strategies offered are those of the catalog, each with what it does", () => {
  const type = helpAt(["models", 0, "strategy", "type"]);
  expect(type?.values.map(({ value }) => value)).toContain("predicted-cost");
  expect(type?.values.every(({ description }) => description !== null)).toBe(true);
});

test("the fields of a block are all offered and the needed ones marked", () => {
  const fields = fieldsAt(["models", 0]);
  expect(fields.filter((field) => field.isRequired).map((field) => field.name)).toEqual(["name", "strategy"]);
  expect(fields.find((field) => field.name === "retries")?.isBlock).toBe(true);
});

test("what is no field has no help", () => {
  expect(helpAt(["nothing"])).toBeNull();
  expect(helpAt(["models", 0, "labels", "x"])).toBeNull();
  expect(fieldsAt(["version", "deeper"])).toEqual([]);
});
