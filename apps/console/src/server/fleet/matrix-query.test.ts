import { expect, test } from "vitest";
import { matrixQuery } from "./matrix-query.ts";

const DAY = "metric=ttft&from=1790000000000&to=1790086400000";

/** Fields at fault. */
function faults(query: string): string[] {
  const parsed = matrixQuery.safeParse(Object.fromEntries(new URLSearchParams(query)));
  return parsed.success ? [] : [...new Set(parsed.error.issues.map((issue) => issue.path.join(".")))];
}

function without(query: string, field: string): string {
  const params = new URLSearchParams(query);
  params.delete(field);
  return params.toString();
}

test("a range of a metric is enough", () => {
  expect(faults(DAY)).toEqual([]);
  expect(faults(`${DAY}&width=900&step=60000&model=qwen`)).toEqual([]);
});

test.each([
  ["from", ""],
  ["from", "-1"],
  ["from", "1e3"],
  ["from", "8640000000000001"],
  ["from", "1790086400000"],
  ["to", ""],
  ["to", "9007199254740991"],
  ["to", "99999999999999999999"],
  ["to", "7258118400001"],
  ["step", ""],
  ["step", "999"],
  ["step", "1.5"],
  ["step", "9007199254740991"],
  ["width", "0"],
  ["width", "2881"],
  ["model", ""],
  ["model", "a\0b"],
  ["metric", "nothing"],
])("%s=%j is refused, and the field is named", (field, value) => {
  const params = new URLSearchParams(without(DAY, field));
  params.set(field, value);
  expect(faults(params.toString())).toEqual([field]);
});
