import { type AnswerClass, classifyByStatus } from "../answer-class.ts";

/**
 * trtllm-serve turns every exception into a 400, its own faults too; nothing in the answer tells them apart, so a
 * 400 stays the client's. 503 comes from its health path only, when the engine has gone.
 */
export function classifyTrtllmServeAnswer(status: number): AnswerClass {
  return status === 503 ? "engine_error" : classifyByStatus(status);
}
