import { expect, test } from "vitest";
import { cursorContext } from "./cursor-context.ts";

/** `|` marks the cursor. */
function at(text: string) {
  const offset = text.indexOf("|");
  return cursorContext(text.replace("|", ""), offset);
}

test.each([
  ["|", [], null, ""],
  ["ver|", [], null, "ver"],
  ["version: 1\nmodels:\n  - |", ["models", 0], null, ""],
  ["version: 1\nmodels:\n- na|", ["models", 0], null, "na"],
  ["models:\n  - name: a\n    re|", ["models", 0], null, "re"],
  ["models:\n  - name: a\n    retries:\n      max|", ["models", 0, "retries"], null, "max"],
  ["models:\n  - name: a\n    strategy:\n      type: pre|", ["models", 0, "strategy"], "type", "pre"],
  ["models:\n  - name: a\n    retries:\n      maxAttempts: 3\n    sess|", ["models", 0], null, "sess"],
  ["models:\n  - name: a\n  - name: b\n    |", ["models", 0], null, ""],
  ["models:\n  - name: a\n    pools:\n      - name: p\n        lab|", ["models", 0, "pools", 0], null, "lab"],
  ["models:\n  - name: a\nrec|", [], null, "rec"],
  ["models:\n  # a note\n\n  - name: a\n    retries:\n\n      |", ["models", 0, "retries"], null, ""],
])("in %j the block is %j and the field %j", (text, parent, field, typed) => {
  expect(at(text)).toMatchObject({ parent, field, typed });
});

test("a comment and a block in braces offer nothing", () => {
  expect(at("version: 1 # no|")).toBeNull();
  expect(at("models:\n  - { na|")).toBeNull();
});
