import { z } from "zod";
import { AttemptLimit } from "./attempt-limit.ts";
import { perProcess } from "./per-process.ts";

const signIn = z.object({ email: z.string().min(1).max(200) });

/** The spellings of the route that some router might take for it. */
const SIGN_IN_PATH = /\/sign-in\/email\/*$/i;

/**
 * Stands before the sign-in library. Takes JSON only: the library reads forms too, which a page of another site can
 * send without asking and this guard would not see into. Limits wrong passwords per account: the library limits per
 * address, and one attacker may have many.
 */
export async function signInGuard(
  request: Request,
  handle: (request: Request) => Promise<Response>,
): Promise<Response> {
  if (!isJson(request)) {
    return Response.json(
      { code: "UNSUPPORTED_MEDIA_TYPE", message: "Send the request as Content-Type: application/json." },
      { status: 415, headers: { Accept: "application/json" } },
    );
  }
  if (!SIGN_IN_PATH.test(new URL(request.url).pathname)) return handle(request);
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
  // Counted before the password is checked: attempts sent at the same moment must not all find room.
  const reserved = limit.reserve(key, Date.now());
  if (reserved.kind === "wait") return tooMany(reserved.waitMs);
  let response: Response | null = null;
  try {
    response = await handle(request);
    return response;
  } finally {
    if (response?.ok) limit.succeeded(key);
    // Only a wrong password stays counted; a database that is away says nothing about it.
    else if (response?.status !== 401) reserved.release();
  }
}

function isJson(request: Request): boolean {
  const [type = ""] = (request.headers.get("content-type") ?? "").split(";");
  return type.trim().toLowerCase() === "application/json";
}

function tooMany(waitMs: number): Response {
  const seconds = Math.ceil(waitMs / 1000);
  return Response.json(
    {
      code: "TOO_MANY_ATTEMPTS",
      message: `Too many wrong passwords for this account. Try again in ${Math.ceil(seconds / 60)} min.`,
    },
    { status: 429, headers: { "Retry-After": String(seconds) } },
  );
}
