import type { IncomingMessage } from "node:http";
import type { BodyBudget } from "./body-budget.ts";
import { RouterError } from "./router-error.ts";

export interface BodyLimits {
  readonly maxBytes: number;
  readonly budget: BodyBudget;
}

/** A received body and the room it takes; `release` must be called once when it is no longer needed. */
export interface ReceivedBody {
  readonly bytes: Buffer;
  release(): void;
}

/** The client went away while it was sending. */
export class ClientGoneError extends Error {
  override readonly name = "ClientGoneError";
}

const EMPTY = Buffer.alloc(0);

/**
 * Reads a request body into one buffer.
 * @throws RouterError body_too_large or saturated, as early as it is known
 * @throws ClientGoneError when the body ends before its end
 */
export function readBody(request: IncomingMessage, limits: BodyLimits): Promise<ReceivedBody> {
  return new Promise((resolve, reject) => {
    const announced = announcedLength(request);
    if (announced !== null && announced > limits.maxBytes) {
      return reject(tooLarge(limits.maxBytes));
    }
    let taken = 0;
    const take = (bytes: number): boolean => {
      if (!limits.budget.take(bytes)) return false;
      taken += bytes;
      return true;
    };
    if (announced !== null && !take(announced)) return reject(noRoom());
    const chunks: Buffer[] = [];
    let received = 0;
    const settle = (): void => {
      request.off("data", onData);
      request.off("end", onEnd);
      request.off("close", onClose);
      request.off("error", onClose);
    };
    const fail = (error: Error): void => {
      settle();
      limits.budget.release(taken);
      reject(error);
    };
    const onEnd = (): void => {
      settle();
      const [only] = chunks;
      const bytes = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, received);
      resolve({ bytes: received === 0 ? EMPTY : bytes, release: () => limits.budget.release(taken) });
    };
    const onClose = (): void => fail(new ClientGoneError("the client left while sending its request"));
    const onData = (chunk: Buffer): void => {
      received += chunk.length;
      if (received > limits.maxBytes) fail(tooLarge(limits.maxBytes));
      else if (received > taken && !take(received - taken)) fail(noRoom());
      else chunks.push(chunk);
    };
    request.on("data", onData);
    request.on("end", onEnd);
    request.on("close", onClose);
    request.on("error", onClose);
  });
}

function announcedLength(request: IncomingMessage): number | null {
  const header = request.headers["content-length"];
  return header === undefined ? null : Number(header);
}

function tooLarge(maxBytes: number): RouterError {
  return new RouterError(
    "body_too_large",
    `The request body is larger than ${maxBytes} bytes, the most this router takes.`,
  );
}

function noRoom(): RouterError {
  return new RouterError(
    "saturated",
    "The router holds as many request bodies as it may. Try again shortly.",
  );
}
