import type { Db } from "@evenkeel/db/connect";
import { authAccounts, authSessions, authUsers, authVerifications } from "@evenkeel/db/schema/auth";
import { betterAuth } from "better-auth";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { faultWords } from "./fault-words.ts";
import { ROLES } from "./role.ts";

export const MIN_PASSWORD_LENGTH = 12;

interface AuthOptions {
  readonly secret: string;
  /** Fixed public address; null takes the host of each request. */
  readonly origin: string | null;
}

/** Sign-in with password and session cookie. Accounts are made by the set-up or by an admin, never by visitors. */
export function createAuth(db: Db, { secret, origin }: AuthOptions) {
  return betterAuth({
    appName: "Evenkeel",
    secret,
    baseURL: origin ?? "http://localhost",
    // Without a fixed address, the name a request came in by is its own origin and every other one is foreign.
    trustedOrigins: (request) => {
      const host = request?.headers.get("host");
      return host ? [`http://${host}`, `https://${host}`] : [];
    },
    basePath: "/api/auth",
    database: drizzleAdapter(db.orm, {
      provider: "pg",
      schema: {
        user: authUsers,
        session: authSessions,
        account: authAccounts,
        verification: authVerifications,
      },
    }),
    user: {
      additionalFields: {
        role: { type: [...ROLES], required: true, defaultValue: "viewer", input: false },
      },
    },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: MIN_PASSWORD_LENGTH,
      maxPasswordLength: 256,
    },
    session: {
      expiresIn: 60 * 60 * 24 * 7,
      updateAge: 60 * 60,
      // Keeps reading possible for a minute when the database goes away; changes always ask the database.
      cookieCache: { enabled: true, maxAge: 60 },
    },
    rateLimit: {
      enabled: true,
      storage: "memory",
      window: 60,
      max: 300,
      customRules: {
        "/sign-in/email": { window: 60, max: 20 },
        "/change-password": { window: 60, max: 5 },
      },
    },
    disabledPaths: [
      "/sign-up/email",
      "/update-user",
      "/delete-user",
      "/change-email",
      "/request-password-reset",
    ],
    advanced: {
      cookiePrefix: "evenkeel",
      // Said outright: the library would leave both out in some environments.
      disableCSRFCheck: false,
      disableOriginCheck: false,
      defaultCookieAttributes: { httpOnly: true, sameSite: "lax", path: "/" },
      ...(origin?.startsWith("https:") ? { useSecureCookies: true } : {}),
    },
    telemetry: { enabled: false },
    logger: {
      level: "error",
      log: (level, message, ...details: unknown[]) => {
        const detail = [message, ...details].map((part) => faultWords(part)).join(" ");
        console.error(JSON.stringify({ level, event: "sign_in_library", detail }));
      },
    },
  });
}

export type Auth = ReturnType<typeof createAuth>;
