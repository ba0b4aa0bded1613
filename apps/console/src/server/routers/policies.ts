import { livePolicy, policyRevision, publishPolicy, rollbackPolicy } from "@evenkeel/db/policy-revisions";
import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { MAX_SOURCE_LENGTH } from "#policy/yaml-bounds.ts";
import { readYaml } from "#policy/yaml-source.ts";
import { actorOf } from "#server/actor.ts";
import { liveHub } from "#server/live/live.ts";
import { readHistory } from "#server/policies/read-history.ts";
import { storableText } from "#server/storable-text.ts";
import { adminProcedure, operatorProcedure, router, viewerProcedure } from "#server/trpc.ts";

const revision = z.number().int().min(1).max(2_147_483_647);
const reason = storableText.trim().min(1, "Say in a few words why.").max(500);

const publish = z.object({
  /** The YAML as typed. */
  source: storableText.max(MAX_SOURCE_LENGTH, "The policy is too long."),
  baseRevision: revision,
  reason,
});

const rollback = z.object({ toRevision: revision, baseRevision: revision, reason });

const historyPage = z.object({
  limit: z.number().int().min(1).max(200).default(100),
  before: revision.nullish(),
});

export const policiesRouter = router({
  /** The revision in force with its text; null in a database without one. */
  live: viewerProcedure.query(({ ctx }) => livePolicy(ctx.db)),
  /** Any revision with its text. */
  revision: viewerProcedure.input(z.object({ revision })).query(async ({ ctx, input }) => {
    const found = await policyRevision(ctx.db, input.revision);
    if (found === null)
      throw new TRPCError({ code: "NOT_FOUND", message: `There is no revision ${input.revision}.` });
    return found;
  }),
  /** Revisions, newest first. */
  history: viewerProcedure
    .input(historyPage)
    .query(({ ctx, input }) => readHistory(ctx.db, { limit: input.limit, before: input.before ?? null })),
  /** Makes a text the live policy, unless someone else published since its base: then theirs comes back and nothing is written. */
  publish: adminProcedure.input(publish).mutation(async ({ ctx, input }) => {
    const { document, syntaxProblems } = readYaml(input.source);
    if (syntaxProblems.length > 0) {
      return {
        kind: "invalid" as const,
        problems: syntaxProblems.map(({ path, message, code }) => ({ path, message, code })),
      };
    }
    const { source, baseRevision } = input;
    const result = await publishPolicy(ctx.db, {
      document,
      source,
      baseRevision,
      reason: input.reason,
      actor: actorOf(ctx),
    });
    liveHub(ctx.db).hint("policy");
    return result;
  }),
  /** Publishes an earlier revision's text as a new revision. */
  rollback: operatorProcedure.input(rollback).mutation(async ({ ctx, input }) => {
    const result = await rollbackPolicy(ctx.db, { ...input, actor: actorOf(ctx) });
    liveHub(ctx.db).hint("policy");
    return result;
  }),
});
