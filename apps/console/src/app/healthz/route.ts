export const dynamic = "force-dynamic";

/** The process runs; says nothing about the database. */
export function GET(): Response {
  return Response.json({ status: "ok" });
}
