import { z } from "zod";
import { AttemptLimit } from "./attempt-limit.ts";
import { perProcess } from "./per-process.ts";

const signIn = z.object({ email: z.string().min(1).max(200) });

/**
 * Limits wrong passwords per account. The library limits per address, which a caller behind a header of its own
 * making can change; the account under attack it cannot.
 */
export async function signInGuard(
  request: Request,
  handle: (request: Request) => Promise<Response>,
): Promise<Response> {
  if (!new URL(request.url).pathname.endsWith("/sign-in/email")) return handle(request);
  const parsed = signIn.safeParse(
    await request
      .clone()
      .json()
      .catch(() => null),
  );
  if (!parsed.success) return handle(request);
  const limit = perProcess(
    "sign-in-limit",
    () => new AttemptLimit({ max: 8, windowMs: 10 * 60_000, maxKeys: 10_000 }),
  );
  const key = parsed.data.email.toLowerCase();
  const waitMs = limit.waitMs(key, Date.now());
  if (waitMs > 0) {
    const seconds = Math.ceil(waitMs / 1000);
    return Response.json(
      {
        code: "TOO_MANY_ATTEMPTS",
        message: `Too many wrong passwords for this account. Try again in ${Math.ceil(seconds / 60)} min.`,
      },
      { status: 429, headers: { "Retry-After": String(seconds) } },
    );
  }
  const response = await handle(request);
  if (response.status === 401) limit.failed(key, Date.now());
  if (response.ok) limit.succeeded(key);
  return response;
}
