import { strategySpec } from "./catalog.ts";
import { duplicateNames } from "./duplicate-names.ts";
import { type ModelPolicyDocument, type PolicyDocument, policyDocument } from "./policy.ts";
import { type DocumentProblem, schemaProblems } from "./schema-problems.ts";
import type { Strategy } from "./strategy.ts";

export type PolicyProblem = DocumentProblem;

/** A model's rules with its strategy built and ready to decide. */
export interface ModelPolicy extends Omit<ModelPolicyDocument, "strategy"> {
  readonly strategy: Strategy;
}

/** A policy document that passed every check, ready for the fast loop. Immutable. */
export interface CompiledPolicy {
  readonly revision: number;
  /** The document with every default filled in. */
  readonly document: PolicyDocument;
  /** The rules for a model name as the client asked for it, null when no entry fits. */
  forModel(name: string): ModelPolicy | null;
}

export type CompiledPolicyResult =
  | { readonly ok: true; readonly policy: CompiledPolicy }
  | { readonly ok: false; readonly problems: PolicyProblem[] };

/**
 * Checks a policy document and makes it ready to decide. Routers run it before they swap to a revision, and publishing
 * runs it before a revision exists. Never throws.
 */
export function compilePolicy(document: unknown, revision: number): CompiledPolicyResult {
  const parsed = policyDocument.safeParse(document, { reportInput: true });
  // Beside the schema, not after it: one mistake must not hide another.
  const duplicates = duplicateNames(document);
  if (!parsed.success)
    return { ok: false, problems: [...schemaProblems(parsed.error.issues), ...duplicates] };
  if (duplicates.length > 0) return { ok: false, problems: duplicates };
  return { ok: true, policy: new Compiled(parsed.data, revision) };
}

class Compiled implements CompiledPolicy {
  readonly revision: number;
  readonly document: PolicyDocument;
  readonly #exact = new Map<string, ModelPolicy>();
  readonly #patterns: { matches: (name: string) => boolean; policy: ModelPolicy }[] = [];

  constructor(document: PolicyDocument, revision: number) {
    this.document = document;
    this.revision = revision;
    for (const model of document.models) {
      const { type, ...params } = model.strategy;
      const policy: ModelPolicy = { ...model, strategy: strategySpec(type).build(params) };
      if (model.name.includes("*")) this.#patterns.push({ matches: patternMatcher(model.name), policy });
      else this.#exact.set(model.name, policy);
    }
  }

  forModel(name: string): ModelPolicy | null {
    const exact = this.#exact.get(name);
    if (exact !== undefined) return exact;
    for (const { matches, policy } of this.#patterns) if (matches(name)) return policy;
    return null;
  }
}

/** Matches a pattern in which `*` stands for any run of characters; linear in the name for any pattern. */
function patternMatcher(pattern: string): (name: string) => boolean {
  const pieces = pattern.split("*");
  const head = pieces[0] ?? "";
  const tail = pieces.at(-1) ?? "";
  const middle = pieces.slice(1, -1);
  return (name) => {
    if (name.length < head.length + tail.length || !name.startsWith(head) || !name.endsWith(tail))
      return false;
    const end = name.length - tail.length;
    let at = head.length;
    for (const piece of middle) {
      const found = name.indexOf(piece, at);
      if (found < 0 || found + piece.length > end) return false;
      at = found + piece.length;
    }
    return true;
  };
}
