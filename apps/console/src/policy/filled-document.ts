import { policyDocument } from "@evenkeel/scheduler/policy";

/**
 * A stored document with the defaults of this release. An older release stored it with the fields it knew; compared
 * without these, every field that came since would look like a change.
 */
export function filledDocument(stored: unknown): unknown {
  const parsed = policyDocument.safeParse(stored);
  return parsed.success ? parsed.data : stored;
}
