import { createHash } from "node:crypto";
import { z } from "zod";
import { binsOfStep, matrixBins } from "#components/fleet-matrix/matrix-bins.ts";
import { matrixMetric } from "#components/fleet-matrix/matrix-metrics.ts";
import { encodeMatrix } from "#components/fleet-matrix/matrix-wire.ts";
import { describeFailure } from "#server/describe-failure.ts";
import { MAX_COLUMNS, matrixQuery } from "#server/fleet/matrix-query.ts";
import { readMatrix } from "#server/fleet/read-matrix.ts";
import { requestContext } from "#server/request-context.ts";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

/** Snapshots come every five seconds unless the policy says otherwise: shorter columns would be mostly empty. */
const MIN_STEP_MS = 5000;

/** The fleet matrix as bytes: see `matrix-wire.ts`. */
export async function GET(request: Request): Promise<Response> {
  const requestId = crypto.randomUUID();
  const problem = (status: number, reason: string, message: string) =>
    Response.json({ reason, message, requestId }, { status, headers: { "Cache-Control": "no-store" } });
  try {
    const { db, viewer: signedIn } = requestContext(request.headers);
    if ((await signedIn()) === null)
      return problem(401, "unauthorized", "Your session has ended. Sign in again.");
    const asked = matrixQuery.safeParse(Object.fromEntries(new URL(request.url).searchParams));
    if (!asked.success) return problem(400, "invalid_input", z.prettifyError(asked.error));
    const { metric, from, to, width, step, model } = asked.data;
    const bins = step ? binsOfStep(from, to, step) : matrixBins(from, to, width, MIN_STEP_MS);
    if (bins.columns > MAX_COLUMNS + 1) {
      return problem(
        400,
        "invalid_input",
        `step ${step} makes ${bins.columns} columns, at most ${MAX_COLUMNS} are served`,
      );
    }
    const matrix = await readMatrix(db, {
      metric: matrixMetric(metric),
      bins,
      toMs: to,
      model: model ?? null,
      nowMs: Date.now(),
    });
    const body = encodeMatrix(matrix);
    const etag = `"${createHash("sha1").update(body).digest("base64url")}"`;
    const headers = { ETag: etag, "Cache-Control": "private, no-cache", "X-Request-Id": requestId };
    if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
    return new Response(body, { headers: { ...headers, "Content-Type": "application/octet-stream" } });
  } catch (error) {
    const failure = describeFailure(error);
    if (failure.isOurFault) {
      console.error(
        JSON.stringify({
          level: "error",
          event: "matrix_failed",
          requestId,
          reason: failure.reason,
          detail: String(error),
        }),
      );
    }
    return problem(failure.code === "SERVICE_UNAVAILABLE" ? 503 : 500, failure.reason, failure.message);
  }
}
