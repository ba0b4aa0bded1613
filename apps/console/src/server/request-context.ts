import "server-only";
import { clientAddress } from "./client-address.ts";
import type { Context } from "./context.ts";
import { db } from "./db.ts";
import { auth } from "./running-auth.ts";
import { viewerOf } from "./viewer.ts";

/** Context of one HTTP request. */
export async function requestContext(headers: Headers): Promise<Context> {
  return {
    db: db(),
    viewer: await viewerOf(auth(), headers, false),
    freshViewer: () => viewerOf(auth(), headers, true),
    requestId: crypto.randomUUID(),
    address: clientAddress(headers),
  };
}
