import { z } from "zod";

/** An edit that is not published, with the revision it started from. */
export interface Draft {
  readonly text: string;
  readonly baseRevision: number;
  /** The base's text, for the three-way comparison when someone else publishes. */
  readonly baseText: string;
  /** Why, as far as it is written. */
  readonly reason: string;
}

const stored = z.object({
  text: z.string(),
  baseRevision: z.number().int(),
  baseText: z.string(),
  reason: z.string(),
});

const KEY = "evenkeel:policy-draft";

/** The draft this tab kept, over reloads and the end of a session; null when there is none. */
export function keptDraft(storage: Pick<Storage, "getItem">): Draft | null {
  try {
    const text = storage.getItem(KEY);
    return text === null ? null : stored.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Keeps a draft, or forgets it. Full or forbidden storage is no reason to lose the text on screen. */
export function keepDraft(storage: Pick<Storage, "setItem" | "removeItem">, draft: Draft | null): void {
  try {
    if (draft === null) storage.removeItem(KEY);
    else storage.setItem(KEY, JSON.stringify(draft));
  } catch {
    // The component still holds it.
  }
}
