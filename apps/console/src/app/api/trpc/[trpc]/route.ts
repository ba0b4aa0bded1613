import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { requestContext } from "#server/request-context.ts";
import { appRouter } from "#server/routers/index.ts";
import { isForeignWrite } from "#server/same-origin.ts";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

function handler(request: Request): Promise<Response> | Response {
  if (isForeignWrite(request)) return new Response("This request came from another site.", { status: 403 });
  return fetchRequestHandler({
    endpoint: "/api/trpc",
    req: request,
    router: appRouter,
    createContext: () => requestContext(request.headers),
  });
}

export { handler as GET, handler as POST };
