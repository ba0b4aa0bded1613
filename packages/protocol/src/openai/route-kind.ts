import { isAdministrationRoute } from "./administration-route.ts";

/** What a data-plane path asks for. `other` is an unknown `/v1/*` path that passes when its model is routable. */
export const ROUTE_KINDS = [
  "chat",
  "completions",
  "responses",
  "embeddings",
  "rerank",
  "score",
  "tokenize",
  "audio",
  "messages",
  "generate",
  "other",
] as const;
export type RouteKind = (typeof ROUTE_KINDS)[number];

const KIND_BY_PATH: ReadonlyMap<string, RouteKind> = new Map([
  ["/v1/chat/completions", "chat"],
  ["/v1/completions", "completions"],
  ["/v1/responses", "responses"],
  ["/v1/embeddings", "embeddings"],
  ["/rerank", "rerank"],
  ["/v1/rerank", "rerank"],
  ["/v2/rerank", "rerank"],
  ["/score", "score"],
  ["/v1/score", "score"],
  ["/tokenize", "tokenize"],
  ["/v1/audio/transcriptions", "audio"],
  ["/v1/audio/translations", "audio"],
  ["/v1/messages", "messages"],
  ["/v1/messages/count_tokens", "messages"],
]);

/** The kind of a POST path, its query ignored; null for a path that is no part of the data plane. */
export function routeKindOf(path: string): RouteKind | null {
  const query = path.indexOf("?");
  const bare = query === -1 ? path : path.slice(0, query);
  const known = KIND_BY_PATH.get(bare);
  if (known !== undefined) {
    return known;
  }
  if (/^\/v2\/models\/[^/]+(\/versions\/[^/]+)?\/generate(_stream)?$/.test(bare)) {
    return "generate";
  }
  if (!bare.startsWith("/v1/") || bare.length === "/v1/".length || isAdministrationRoute(bare)) {
    return null;
  }
  return "other";
}
