import { initTRPC, TRPCError } from "@trpc/server";
import superjson from "superjson";
import { ZodError, z } from "zod";
import type { Context } from "./context.ts";
import { describeFailure } from "./describe-failure.ts";
import { faultWords } from "./fault-words.ts";
import { allows, type Role } from "./role.ts";

interface Meta {
  /** Least role that may call; `public` needs no sign-in. */
  readonly access: Role | "public";
}

const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    transformer: superjson,
    sse: {
      // The client connects again by itself; whoever was signed out meanwhile is noticed then.
      maxDurationMs: 15 * 60_000,
      // Proxies cut silent connections at 60 s; the client reconnects when it hears nothing for a while.
      ping: { enabled: true, intervalMs: 10_000 },
      client: { reconnectAfterInactivityMs: 25_000 },
    },
    errorFormatter({ shape, error, ctx }) {
      const cause = error.cause;
      return {
        ...shape,
        message: cause instanceof ZodError ? z.prettifyError(cause) : describeFailure(error).message,
        data: {
          ...shape.data,
          // Stack traces name files of the server and stay there.
          stack: undefined,
          reason: describeFailure(error).reason,
          requestId: ctx?.requestId ?? null,
        },
      };
    },
  });

/** The one place where failures of any kind become answers. */
const mapErrors = t.middleware(async ({ next, path, ctx }) => {
  const result = await next();
  if (result.ok) return result;
  const failure = describeFailure(result.error);
  if (failure.isOurFault) {
    console.error(
      JSON.stringify({
        level: "error",
        event: "procedure_failed",
        path,
        requestId: ctx.requestId,
        reason: failure.reason,
        detail: faultWords(result.error.cause ?? result.error),
      }),
    );
  }
  throw new TRPCError({
    code: failure.code,
    message: failure.message,
    cause: result.error.cause ?? result.error,
  });
});

/** Access first, input later: someone who may not call learns nothing about the input. */
function atLeast(need: Role) {
  return t.procedure
    .meta({ access: need })
    .use(mapErrors)
    .use(async ({ ctx, next, type }) => {
      // Reading may lag a change of role by the session cache; changing something may not.
      const viewer = await (type === "mutation" ? ctx.freshViewer() : ctx.viewer());
      if (viewer === null) {
        throw new TRPCError({ code: "UNAUTHORIZED", message: "Your session has ended. Sign in again." });
      }
      if (!allows(viewer.role, need)) {
        throw new TRPCError({
          code: "FORBIDDEN",
          message: `This needs the role ${need}; you are signed in as ${viewer.role}.`,
        });
      }
      return next({ ctx: { ...ctx, viewer } });
    });
}

export const router = t.router;
export const callerFactory = t.createCallerFactory;
export const publicProcedure = t.procedure.meta({ access: "public" }).use(mapErrors);
export const viewerProcedure = atLeast("viewer");
export const operatorProcedure = atLeast("operator");
export const adminProcedure = atLeast("admin");
