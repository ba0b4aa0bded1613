import { type CheckedSource, checkSource } from "./check-source.ts";
import type { Draft } from "./draft.ts";
import { filledDocument } from "./filled-document.ts";
import { type FieldChange, semanticDiff } from "./semantic-diff.ts";
import { type ThreeWay, threeWay } from "./three-way-merge.ts";
import { readYaml } from "./yaml-source.ts";

/** What the live revision looks like from a draft's side. */
export type BaseState =
  /** The draft's base is live. */
  | { readonly kind: "current" }
  /** Someone published since, and nothing of it meets what I changed. */
  | { readonly kind: "behind"; readonly plan: ThreeWay }
  /** Someone published since, and some fields were changed by both. */
  | { readonly kind: "conflict"; readonly plan: ThreeWay }
  /** Someone published since, and my text cannot be compared until its problems are fixed. */
  | { readonly kind: "unknown" };

export interface DraftState {
  readonly checked: CheckedSource;
  /** Against the live revision, by meaning; null while the draft has problems. */
  readonly changes: readonly FieldChange[] | null;
  readonly base: BaseState;
}

interface Live {
  readonly revision: number;
  readonly source: string;
  readonly document: unknown;
}

/** Everything the editor shows about a draft, from its text and the live revision. */
export function draftState(draft: Draft, live: Live): DraftState {
  const checked = checkSource(draft.text);
  return {
    checked,
    // Both with their defaults: writing a default down changes nothing.
    changes:
      checked.policy === null ? null : semanticDiff(filledDocument(live.document), checked.policy.document),
    base: baseState(draft, live, checked),
  };
}

function baseState(draft: Draft, live: Live, checked: CheckedSource): BaseState {
  if (draft.baseRevision === live.revision) return { kind: "current" };
  const base = readYaml(draft.baseText);
  const theirs = readYaml(live.source);
  if (
    checked.source.syntaxProblems.length > 0 ||
    base.syntaxProblems.length > 0 ||
    theirs.syntaxProblems.length > 0
  ) {
    return { kind: "unknown" };
  }
  const plan = threeWay(base.document, theirs.document, checked.source.document);
  return { kind: plan.conflicts.length > 0 ? "conflict" : "behind", plan };
}
