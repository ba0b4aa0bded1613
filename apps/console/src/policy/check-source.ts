import { type CompiledPolicy, compilePolicy } from "@evenkeel/scheduler/compile-policy";
import { type PlacedProblem, readYaml, type YamlSource } from "./yaml-source.ts";

export interface CheckedSource {
  readonly source: YamlSource;
  /** Null while there are problems. */
  readonly policy: CompiledPolicy | null;
  readonly problems: readonly PlacedProblem[];
}

/** Checks a policy's text with the function the routers run, and puts each problem at its place in the text. */
export function checkSource(text: string): CheckedSource {
  const source = readYaml(text);
  if (source.syntaxProblems.length > 0) return { source, policy: null, problems: source.syntaxProblems };
  const compiled = compilePolicy(source.document, 0);
  if (compiled.ok) return { source, policy: compiled.policy, problems: [] };
  const problems = compiled.problems.map((problem) => ({ ...problem, ...source.placeOf(problem.path) }));
  return { source, policy: null, problems: problems.sort((a, b) => a.from - b.from) };
}
