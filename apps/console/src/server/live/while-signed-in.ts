/** How often an open stream asks whether its viewer still has a session, milliseconds. */
const RECHECK_MS = 30_000;

/**
 * Passes a stream on for as long as its viewer is signed in: a stream is opened once, and whoever is removed or signed
 * out meanwhile must not go on reading. A question that cannot be answered ends nothing; the next one counts.
 * @param follow opens the stream; it ends when the signal aborts.
 * @param isSignedIn asks the database, past the session's copy in the cookie.
 * @param onEnded makes the error the stream ends with when its viewer has no session any more.
 */
export async function* whileSignedIn<T>(
  follow: (signal: AbortSignal) => AsyncIterable<T>,
  isSignedIn: () => Promise<boolean>,
  outer: AbortSignal | undefined,
  onEnded: () => Error,
): AsyncGenerator<T> {
  const signedOut = new AbortController();
  let isAsking = false;
  const ask = async () => {
    if (isAsking) return;
    isAsking = true;
    const answer = await isSignedIn().catch(() => null);
    isAsking = false;
    if (answer === false) signedOut.abort();
  };
  const timer = setInterval(() => void ask(), RECHECK_MS);
  try {
    const signals = outer === undefined ? [signedOut.signal] : [outer, signedOut.signal];
    for await (const value of follow(AbortSignal.any(signals))) {
      if (signedOut.signal.aborted) break;
      yield value;
    }
    if (signedOut.signal.aborted) throw onEnded();
  } finally {
    clearInterval(timer);
  }
}
