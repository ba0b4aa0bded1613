/**
 * Whether a request that changes something comes from a page of another site. The session cookie is SameSite=Lax;
 * this is the second lock, and holds for browsers that send either header.
 */
export function isForeignWrite(request: Request): boolean {
  if (request.method === "GET" || request.method === "HEAD") return false;
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site !== "same-origin" && site !== "none";
  const origin = request.headers.get("origin");
  if (origin === null) return false;
  return !URL.canParse(origin) || new URL(origin).host !== request.headers.get("host");
}
