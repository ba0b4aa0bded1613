import type { DocumentProblem } from "./schema-problems.ts";

/** Models and pools of a policy document that share a name. Takes any value: what is no name is the schema's to tell. */
export function duplicateNames(document: unknown): DocumentProblem[] {
  const models = listIn(document, "models");
  return [
    ...repeats(models, ["models"], "duplicate_model", (name, earlier) => {
      return `"${name}" is already the name of models[${earlier}]: merge the two entries`;
    }),
    ...models.flatMap((model, index) =>
      repeats(listIn(model, "pools"), ["models", index, "pools"], "duplicate_pool", (name) => {
        return `the model has another pool named "${name}"`;
      }),
    ),
  ];
}

function repeats(
  entries: readonly unknown[],
  path: readonly (string | number)[],
  code: string,
  message: (name: string, earlier: number) => string,
): DocumentProblem[] {
  const seen = new Map<string, number>();
  return entries.flatMap((entry, index) => {
    const name = fieldOf(entry, "name");
    if (typeof name !== "string") return [];
    const earlier = seen.get(name);
    seen.set(name, earlier ?? index);
    return earlier === undefined
      ? []
      : [{ path: [...path, index, "name"], message: message(name, earlier), code }];
  });
}

function listIn(value: unknown, field: string): readonly unknown[] {
  const list = fieldOf(value, field);
  return Array.isArray(list) ? list : [];
}

function fieldOf(value: unknown, field: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, field)?.value;
}
