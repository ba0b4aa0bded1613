import { auth } from "#server/running-auth.ts";
import { isForeignWrite } from "#server/same-origin.ts";
import { signInGuard } from "#server/sign-in-guard.ts";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

export function GET(request: Request): Promise<Response> {
  return auth().handler(request);
}

export async function POST(request: Request): Promise<Response> {
  if (isForeignWrite(request)) return new Response("This request came from another site.", { status: 403 });
  return signInGuard(request, (passed) => auth().handler(passed));
}
