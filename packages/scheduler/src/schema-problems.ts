import type { z } from "zod";

/** What is wrong with a document, where, and what to write instead. */
export interface DocumentProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** Stable: `unknown_field`, `missing_field`, `invalid_value`, … */
  readonly code: string;
}

/**
 * Turns schema issues into problems that name one field each.
 * @param issues of a check with `reportInput`: without it, a wrong value looks like an absent one.
 */
export function schemaProblems(issues: readonly z.core.$ZodIssue[]): DocumentProblem[] {
  return issues.flatMap(problemsOfIssue);
}

function problemsOfIssue(issue: z.core.$ZodIssue): DocumentProblem[] {
  // Paths of JSON and YAML documents hold no symbols.
  const path = issue.path.filter((part): part is string | number => typeof part !== "symbol");
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      path: [...path, key],
      message: `unknown field "${key}": remove it or check its spelling`,
      code: "unknown_field",
    }));
  }
  if (issue.code === "invalid_type" && issue.input === undefined) {
    // A message of the schema's own says more than which type was expected.
    const isOwn = !/received undefined/.test(issue.message);
    const message = isOwn ? issue.message : `missing: expected ${issue.expected}`;
    return [{ path, message, code: "missing_field" }];
  }
  // A refused name's own issue says more than that it is refused.
  const message = issue.code === "invalid_key" ? (issue.issues[0]?.message ?? issue.message) : issue.message;
  return [{ path, message, code: "invalid_value" }];
}
