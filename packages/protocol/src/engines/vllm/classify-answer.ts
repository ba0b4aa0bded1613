import { type AnswerClass, classifyByStatus, readErrorBody } from "../answer-class.ts";

/**
 * vLLM has no admission limit: it never answers 429, and 503 only while it changes its own size (a bare string
 * error, on every path) or when its engine process is dead.
 */
export function classifyVllmAnswer(status: number, bodyPrefix: string): AnswerClass {
  if (status === 503) {
    const error = readErrorBody(bodyPrefix);
    return error === null ? "engine_error" : "not_serving";
  }
  return classifyByStatus(status);
}
