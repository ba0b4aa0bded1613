import { readFile } from "node:fs/promises";
import { type CompiledPolicy, compilePolicy } from "@evenkeel/scheduler/compile-policy";
import { parseDocument } from "yaml";
import { describeProblem } from "../fleet/fleet-file-watch.ts";
import { BUILT_IN_POLICY } from "./built-in-policy.ts";

/** POLICY_FILE cannot be used; the message names the file, the field and the fix. */
export class PolicyFileError extends Error {
  readonly code = "invalid_policy_file";
  override readonly name = "PolicyFileError";
}

/** What an empty database is given, and what a router without one routes by. */
export interface FirstPolicy {
  readonly source: string;
  readonly document: unknown;
  readonly compiled: CompiledPolicy;
}

/** Revision of a policy that is not in any database. */
export const UNPUBLISHED = 0;

/**
 * Reads POLICY_FILE, or takes the built-in policy when the path is null.
 * @throws PolicyFileError
 */
export async function readFirstPolicy(path: string | null): Promise<FirstPolicy> {
  if (path === null)
    return compileFirst("the built-in policy", BUILT_IN_POLICY.source, BUILT_IN_POLICY.document);
  let source: string;
  try {
    source = await readFile(path, "utf8");
  } catch (error) {
    throw new PolicyFileError(`${path}: cannot be read (${error instanceof Error ? error.message : error})`);
  }
  const yaml = parseDocument(source);
  const [syntaxError] = yaml.errors;
  if (syntaxError !== undefined) {
    throw new PolicyFileError(`${path}: not valid YAML: ${syntaxError.message.split("\n")[0]}`);
  }
  return compileFirst(path, source, yaml.toJS());
}

function compileFirst(name: string, source: string, document: unknown): FirstPolicy {
  const result = compilePolicy(document, UNPUBLISHED);
  if (!result.ok) {
    throw new PolicyFileError(`${name}: ${result.problems.map(describeProblem).join("; ")}`);
  }
  return { source, document, compiled: result.policy };
}
