import { db } from "#server/db.ts";
import { describeFailure } from "#server/describe-failure.ts";

export const dynamic = "force-dynamic";

/** Ready when the database answers and holds our tables. */
export async function GET(): Promise<Response> {
  try {
    await db().sql`select 1 from auth_users limit 1`;
    return Response.json({ status: "ready" });
  } catch (error) {
    return Response.json({ status: "not_ready", reason: describeFailure(error).reason }, { status: 503 });
  }
}
