import { expect, test } from "vitest";
import { decisionFilter } from "#server/decisions/decision-filter.ts";
import { everyDecision } from "#server/decisions/every-decision.ts";
import { activeFields, FILTER_FIELDS } from "./filter-fields.ts";
import { filterParams } from "./filter-params.ts";

test("every field of the filter can be offered, shown as a chip and removed", () => {
  const offered = FILTER_FIELDS.map((field) => field.id).sort();
  const fields = Object.keys(everyDecision(0, 1))
    .filter((name) => name !== "fromMs" && name !== "toMs")
    .sort();
  expect(offered).toEqual(fields);
});

test("a chip says the value in words, and a hostile one as the text it is", () => {
  const filter = { ...everyDecision(0, 1), reason: "kept_pin" as const, chosen: "<b>r</b>", marginBelow: 0 };
  expect(activeFields(filter).map(({ field, words }) => [field.id, words])).toEqual([
    ["chosen", "<b>r</b>"],
    ["reason", "kept pin"],
    ["marginBelow", "0"],
  ]);
});

test("unknown values in the address are as good as none", () => {
  expect(filterParams.reason.parse("because")).toBeNull();
  expect(filterParams.outcome.parse("fine")).toBeNull();
  expect(filterParams.revision.parse("latest")).toBeNull();
  expect(filterParams.marginBelow.parse("12.5")).toBe(12.5);
});

test("the server refuses a filter it does not know", () => {
  expect(decisionFilter.safeParse({ ...everyDecision(0, 1), sql: "1=1" }).success).toBe(false);
  expect(decisionFilter.safeParse(everyDecision(0, null)).success).toBe(true);
});
