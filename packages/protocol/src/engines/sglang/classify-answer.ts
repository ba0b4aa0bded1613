import { type AnswerClass, classifyByStatus } from "../answer-class.ts";

/**
 * SGLang answers 503 when its queue is full or a request waited too long: saturation. While streaming it says so in
 * the first event of a 200 answer instead, which `classifyStreamError` reads. It does not check model names.
 */
export function classifySglangAnswer(status: number): AnswerClass {
  return classifyByStatus(status);
}
