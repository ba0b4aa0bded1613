"use client";

import { useCallback, useEffect, useState } from "react";
import { type Draft, keepDraft, keptDraft } from "#policy/draft.ts";

/** The tab's draft: in memory and in the tab's storage, so that neither a reload nor a sign-in loses it. */
export function useDraft(): {
  /** Null when nothing is edited. */
  readonly draft: Draft | null;
  readonly setDraft: (change: (draft: Draft | null) => Draft | null) => void;
  /** False until the kept draft was looked for. */
  readonly isLoaded: boolean;
} {
  const [state, setState] = useState<{ readonly draft: Draft | null; readonly isLoaded: boolean }>({
    draft: null,
    isLoaded: false,
  });
  useEffect(() => setState({ draft: keptDraft(sessionStorage), isLoaded: true }), []);
  useEffect(() => {
    if (state.isLoaded) keepDraft(sessionStorage, state.draft);
  }, [state]);
  const setDraft = useCallback(
    (change: (draft: Draft | null) => Draft | null) =>
      setState((previous) => ({ ...previous, draft: change(previous.draft) })),
    [],
  );
  return { ...state, setDraft };
}
