import { expect, test } from "vitest";
import { withGeneratedSection } from "./performance-page.ts";

test("the generated section is added once and then replaced; what people wrote stays", () => {
  const first = withGeneratedSection("# Performance\n\nBefore.\n", "table one");
  const second = withGeneratedSection(`${first}\nAfter.\n`, "table two");
  expect(first).toContain("table one");
  expect(second).toContain("table two");
  expect(second).not.toContain("table one");
  expect(second.indexOf("Before.")).toBeLessThan(second.indexOf("table two"));
  expect(second.indexOf("After.")).toBeGreaterThan(second.indexOf("table two"));
});
