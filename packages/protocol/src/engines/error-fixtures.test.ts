import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { env } from "node:process";
import { expect, test } from "vitest";
import { readErrorBody } from "./answer-class.ts";
import { ENGINES } from "./catalog.ts";
import type { EngineName } from "./engine-name.ts";

/** Recorded error answers of engines, when they are at hand beside the repository. */
const folder = resolve(
  env["EVENKEEL_SHARED"] ?? resolve(import.meta.dirname, "../../../../../shared"),
  "fixtures/openai",
);

const ENGINE_BY_FOLDER: Readonly<Record<string, EngineName>> = {
  vllm: "vllm",
  sglang: "sglang",
  tgi: "tgi",
  llamacpp: "llamacpp",
  trtllm: "trtllm-serve",
};

interface RecordedError {
  status: number;
  path?: string;
  body?: unknown;
  body_text?: string;
}

const OWN_SAMPLE: RecordedError[] = [{ status: 503, body: { error: "scaling" } }];

function recorded(engine: string): RecordedError[] {
  const file = resolve(folder, engine, "errors.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : OWN_SAMPLE;
}

test.each(Object.entries(ENGINE_BY_FOLDER))(
  "every recorded error of %s has its message read and blames the right side",
  (name, engine) => {
    for (const error of recorded(name)) {
      const body = error.body === undefined ? (error.body_text ?? "") : JSON.stringify(error.body);
      if (error.body !== undefined) {
        expect(readErrorBody(body)?.message, body).toBeTypeOf("string");
      }
      const verdict = ENGINES[engine].classifyAnswer(error.status, body);
      if (error.status < 500 && error.status !== 424) {
        expect(["client_error", "model_missing", "saturated"], body).toContain(verdict);
      } else if (error.status !== 501) {
        expect(["engine_error", "saturated", "not_serving"], body).toContain(verdict);
      }
    }
  },
);
