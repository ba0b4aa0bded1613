import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { MIN_PASSWORD_LENGTH } from "#server/auth.ts";
import { createFirstAdmin, needsSetup } from "#server/first-admin.ts";
import { acceptInvitation, invitee } from "#server/members/invitation.ts";
import { isSetupToken, setupToken } from "#server/setup-token.ts";
import { storableText } from "#server/storable-text.ts";
import { publicProcedure, router } from "#server/trpc.ts";

const password = z
  .string()
  .min(MIN_PASSWORD_LENGTH, `Use at least ${MIN_PASSWORD_LENGTH} characters.`)
  .max(256, "Use at most 256 characters.");

const newAdmin = z.object({
  token: z.string().max(200),
  name: storableText.trim().min(1, "Say what others will see you as.").max(80),
  email: z.email("This is not an e-mail address.").max(200),
  password,
});

export const setupRouter = router({
  /** Whether the console waits for its first admin. */
  isNeeded: publicProcedure.query(({ ctx }) => needsSetup(ctx.db)),
  /** Makes the first admin for whoever brings the token that the process printed. */
  createAdmin: publicProcedure.input(newAdmin).mutation(async ({ ctx, input }) => {
    if (!isSetupToken(input.token, setupToken())) {
      throw new TRPCError({
        code: "FORBIDDEN",
        message: "This set-up link is not the one the console printed at its last start. Open that one.",
      });
    }
    const isMade = await createFirstAdmin(ctx.db, input);
    if (!isMade) {
      throw new TRPCError({ code: "CONFLICT", message: "The first admin exists already. Sign in instead." });
    }
    return { email: input.email.toLowerCase() };
  }),
  /** Whom an invitation is for; null when it is used up, expired or none. */
  invitee: publicProcedure
    .input(z.object({ token: storableText.max(200) }))
    .query(({ ctx, input }) => invitee(ctx.db, input.token, Date.now())),
  /** Takes up an invitation with a password of one's own. */
  acceptInvitation: publicProcedure
    .input(z.object({ token: storableText.max(200), password }))
    .mutation(async ({ ctx, input }) => {
      const accepted = await acceptInvitation(ctx.db, input, Date.now());
      if (accepted === null) {
        throw new TRPCError({
          code: "NOT_FOUND",
          message: "This link has been used or has expired. Ask for a new one.",
        });
      }
      return accepted;
    }),
});
