import { expect, test } from "vitest";
import { mergeModelCards } from "./model-catalog.ts";

const served = new Set(["base"]);

test("the engine's own fields are kept, and of two lengths the safer one", () => {
  const long = { id: "base", object: "model", root: "/a", max_model_len: 32768 };
  const short = { id: "base", object: "model", root: "/b", max_model_len: 8192 };
  expect(mergeModelCards([[long], [short]], served)).toEqual([short]);
  expect(mergeModelCards([[short], [long]], served)).toEqual([short]);
});

test("adapters of a served base are listed, names of nobody's are not", () => {
  const cards = [{ id: "base" }, { id: "my-lora", parent: "base" }, { id: "stray" }];
  expect(mergeModelCards([cards], served).map(({ id }) => id)).toEqual(["base", "my-lora"]);
});

test("a served model that no replica has listed yet is listed all the same", () => {
  expect(mergeModelCards([], served)).toEqual([
    { id: "base", object: "model", created: 0, owned_by: "evenkeel" },
  ]);
});
