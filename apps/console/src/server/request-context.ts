import "server-only";
import { clientAddress } from "./client-address.ts";
import type { Context, Viewer } from "./context.ts";
import { db } from "./db.ts";
import { auth } from "./running-auth.ts";
import { viewerOf } from "./viewer.ts";

/** Context of one HTTP request. */
export function requestContext(headers: Headers): Context {
  let known: Promise<Viewer | null> | null = null;
  return {
    db: db(),
    // Asked for within the procedure, so that a database that is away becomes an answer like any other.
    viewer: () => {
      known ??= viewerOf(auth(), headers, false);
      return known;
    },
    freshViewer: () => viewerOf(auth(), headers, true),
    requestId: crypto.randomUUID(),
    address: clientAddress(headers),
  };
}
