import { decodeMatrix, type Matrix } from "#components/fleet-matrix/matrix-wire.ts";
import { announceSessionEnd } from "#trpc/session-end.ts";

export interface MatrixQuery {
  readonly metric: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly width: number;
  readonly model: string | null;
  /** Step to keep when the answer is appended to a matrix already held. */
  readonly stepMs?: number;
}

/** The server refused or failed; the message is a sentence for the reader. */
export class MatrixError extends Error {
  readonly code = "matrix_unavailable";
  readonly requestId: string | null;
  constructor(message: string, requestId: string | null) {
    super(message);
    this.requestId = requestId;
  }
}

/** Reads a matrix. @throws MatrixError with the server's words and request id. */
export async function fetchMatrix(query: MatrixQuery, signal?: AbortSignal): Promise<Matrix> {
  const params = new URLSearchParams({
    metric: query.metric,
    from: String(Math.round(query.fromMs)),
    to: String(Math.round(query.toMs)),
    width: String(query.width),
  });
  if (query.model !== null) params.set("model", query.model);
  if (query.stepMs !== undefined) params.set("step", String(query.stepMs));
  const response = await fetch(`/api/fleet/matrix?${params}`, signal ? { signal } : {});
  if (response.ok) return decodeMatrix(await response.arrayBuffer());
  if (response.status === 401) announceSessionEnd();
  const body: unknown = await response.json().catch(() => null);
  const word = (key: string) => {
    const value =
      typeof body === "object" && body !== null ? Object.entries(body).find(([name]) => name === key) : null;
    return typeof value?.[1] === "string" ? value[1] : null;
  };
  throw new MatrixError(word("message") ?? `The console answered ${response.status}.`, word("requestId"));
}
