/** Only a path with one of these can mean another one to whoever reads it next. */
const SUSPECT = /[%\\#]|\/\.|\/\/|.\/$/;
/** Decoded once by the engine, once more by a proxy before it, and then some. */
const MAX_DECODINGS = 4;

/**
 * Why a path (its query ignored) must not be passed on, null when it may: engines and the proxies before them decode
 * and shorten paths, so one with `..` in any disguise reaches what the router never agreed to.
 */
export function pathProblem(path: string): string | null {
  const query = path.indexOf("?");
  const bare = query === -1 ? path : path.slice(0, query);
  if (!SUSPECT.test(bare)) return null;
  const decoded = decodePath(bare);
  if (decoded === null) return "The path's percent-encoding cannot be read.";
  if (/[\\#\p{Cc}]/u.test(decoded)) return "The path holds a backslash, a # or a control character.";
  const [, ...segments] = decoded.split("/");
  if (segments.some((segment) => segment === "")) return "The path has an empty segment.";
  // Some servers cut parameters off a segment before they read it.
  if (segments.some((segment) => /^\.{1,2}(;.*)?$/.test(segment))) return "The path has a . or .. segment.";
  return null;
}

/** The path with every layer of percent-encoding taken off; null when it is malformed or has too many. */
export function decodePath(path: string): string | null {
  let decoded = path;
  for (let round = 0; round < MAX_DECODINGS; round++) {
    if (!decoded.includes("%")) return decoded;
    try {
      decoded = decodeURIComponent(decoded);
    } catch {
      return null;
    }
  }
  return decoded.includes("%") ? null : decoded;
}
