import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { actorOf } from "#server/actor.ts";
import {
  addMember,
  changeRole,
  inviteAgain,
  type Outcome,
  removeMember,
} from "#server/members/change-members.ts";
import type { MemberRefusal } from "#server/members/member.ts";
import { readMembers } from "#server/members/read-members.ts";
import { role } from "#server/role-schema.ts";
import { storableText } from "#server/storable-text.ts";
import { adminProcedure, router } from "#server/trpc.ts";

const newMember = z.object({
  name: storableText.trim().min(1, "Say what others will see them as.").max(80),
  email: z.email("This is not an e-mail address.").max(200),
  role,
});
const one = z.object({ userId: storableText.min(1).max(100) });

const REFUSALS: Readonly<
  Record<MemberRefusal, { readonly code: TRPCError["code"]; readonly message: string }>
> = {
  unknown_member: { code: "NOT_FOUND", message: "This member exists no longer." },
  email_taken: { code: "CONFLICT", message: "Someone with this e-mail address is a member already." },
  last_admin: {
    code: "PRECONDITION_FAILED",
    message: "This is the last admin. Make someone else an admin first.",
  },
};

export const membersRouter = router({
  /** Everyone who may use the console or is invited to. */
  list: adminProcedure.query(({ ctx }) => readMembers(ctx.db)),
  /** Adds a member; the answer holds the invitation's token, which is shown once and stored as a hash. */
  add: adminProcedure
    .input(newMember)
    .mutation(async ({ ctx, input }) => settled(await addMember(ctx.db, input, actorOf(ctx)))),
  /** A new link to set a password. */
  inviteAgain: adminProcedure
    .input(one)
    .mutation(async ({ ctx, input }) => settled(await inviteAgain(ctx.db, input.userId, actorOf(ctx)))),
  /** Gives a member another role. */
  changeRole: adminProcedure
    .input(one.extend({ role }))
    .mutation(async ({ ctx, input }) => settled(await changeRole(ctx.db, input, actorOf(ctx)))),
  /** Removes a member and ends their sessions. */
  remove: adminProcedure
    .input(one)
    .mutation(async ({ ctx, input }) => settled(await removeMember(ctx.db, input.userId, actorOf(ctx)))),
});

function settled<T>(outcome: Outcome<T>): T {
  if (outcome.kind === "done") return outcome.value;
  throw new TRPCError(REFUSALS[outcome.why]);
}
