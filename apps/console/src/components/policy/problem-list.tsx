import { counted } from "#format/number.ts";
import type { PlacedProblem } from "#policy/yaml-source.ts";
import { problemPath } from "./problem-path.ts";

const SHOWN = 4;

/** Problems under the editor, each with its line; pressing one goes there. */
export function ProblemList({
  problems,
  document,
  onGo,
}: {
  readonly problems: readonly PlacedProblem[];
  /** What the text says, to name the places in it. */
  readonly document: unknown;
  readonly onGo: (problem: PlacedProblem) => void;
}) {
  if (problems.length === 0) return null;
  return (
    <ul aria-label="Problems" className="flex-none border-t bg-crit-soft py-1">
      {problems.slice(0, SHOWN).map((problem) => (
        <li key={`${problem.from}|${problem.message}`}>
          <button
            type="button"
            onClick={() => onGo(problem)}
            className="flex min-h-6 w-full items-baseline gap-3 px-3 py-0.5 text-left text-label hover:bg-hover"
          >
            <span className="w-14 flex-none text-crit">line {problem.line}</span>
            <span className="min-w-0 [overflow-wrap:anywhere]">
              {problem.path.length === 0 ? null : (
                <span className="mono mr-2 text-muted">{problemPath(problem.path, document)}</span>
              )}
              {problem.message}
            </span>
          </button>
        </li>
      ))}
      {problems.length > SHOWN ? (
        <li className="px-3 text-label text-muted">and {counted(problems.length - SHOWN, "more", "more")}</li>
      ) : null}
    </ul>
  );
}
