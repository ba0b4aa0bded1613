import type { z } from "zod";

/** What is wrong with a document, where, and what to write instead. */
export interface DocumentProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** Stable: `unknown_field`, `missing_field`, `invalid_value`, … */
  readonly code: string;
}

/** Turns schema issues into problems that name one field each. */
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
  if (
    issue.code === "invalid_type" &&
    issue.input === undefined &&
    /received undefined/.test(issue.message)
  ) {
    return [{ path, message: `missing: expected ${issue.expected}`, code: "missing_field" }];
  }
  return [{ path, message: issue.message, code: "invalid_value" }];
}
