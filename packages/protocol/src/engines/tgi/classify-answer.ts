import { type AnswerClass, classifyByStatus } from "../answer-class.ts";

/** TGI answers 429 above --max-concurrent-requests, 422 for a bad input, 424 when generation itself failed. */
export function classifyTgiAnswer(status: number): AnswerClass {
  return status === 424 ? "engine_error" : classifyByStatus(status);
}
