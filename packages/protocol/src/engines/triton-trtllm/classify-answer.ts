import { type AnswerClass, classifyByStatus } from "../answer-class.ts";

/** Triton answers 503 when a queue policy refuses, 404 for a model it does not have, 400 for most else. */
export function classifyTritonAnswer(status: number): AnswerClass {
  return classifyByStatus(status);
}
