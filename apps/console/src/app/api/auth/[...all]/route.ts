import { auth } from "#server/running-auth.ts";
import { signInGuard } from "#server/sign-in-guard.ts";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

export function GET(request: Request): Promise<Response> {
  return auth().handler(request);
}

export function POST(request: Request): Promise<Response> {
  return signInGuard(request, (passed) => auth().handler(passed));
}
