import { type AnswerClass, classifyByStatus } from "../answer-class.ts";

/** llama.cpp's server queues what it cannot serve yet and answers 503 only while the model loads. */
export function classifyLlamacppAnswer(status: number): AnswerClass {
  return status === 503 ? "not_serving" : classifyByStatus(status);
}
