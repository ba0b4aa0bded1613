const NAME = "evenkeel:session-end";

/** Says to the page that the server no longer knows who we are. */
export function announceSessionEnd(): void {
  window.dispatchEvent(new Event(NAME));
}

/** Calls back when the session ended; answers with the function that stops listening. */
export function onSessionEnd(listener: () => void): () => void {
  window.addEventListener(NAME, listener);
  return () => window.removeEventListener(NAME, listener);
}
