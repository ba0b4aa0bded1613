import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeUtf8 } from "../bytes/encode-utf8.ts";
import { parseOpenAiRequest } from "./parse-request.ts";
import { partText } from "./part-text.ts";

const contentPart = fc.oneof(
  fc.record({ type: fc.constant("text"), text: fc.string() }),
  fc.record({ type: fc.constant("image_url"), image_url: fc.record({ url: fc.string() }) }),
);
const message = fc.record(
  {
    role: fc.constantFrom("system", "user", "assistant", "tool"),
    content: fc.oneof(fc.string({ unit: "binary" }), fc.constant(null), fc.array(contentPart)),
    tool_calls: fc.array(fc.record({ id: fc.string(), type: fc.constant("function") })),
  },
  { requiredKeys: ["role"] },
);

function partsOf(messages: readonly unknown[]) {
  const body = encodeUtf8(JSON.stringify({ model: "m", messages, tools: [{ name: "t" }] }));
  const result = parseOpenAiRequest("/v1/chat/completions", body, {});
  if (!result.ok) {
    throw new Error(result.problem.message);
  }
  return result.request.prompts[0]?.parts.map(partText) ?? [];
}

test("appending messages only appends parts", () => {
  fc.assert(
    fc.property(fc.array(message, { minLength: 1 }), fc.array(message), (start, more) => {
      const before = partsOf(start);
      expect(partsOf([...start, ...more]).slice(0, before.length)).toEqual(before);
    }),
  );
});

test("no body makes the parser throw", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array(),
        fc.json().map(encodeUtf8),
        fc.object().map((o) => encodeUtf8(JSON.stringify(o))),
      ),
      fc.constantFrom(
        "/v1/chat/completions",
        "/v1/completions",
        "/v1/responses",
        "/v1/embeddings",
        "/tokenize",
        "/v1/x",
      ),
      (body, path) => {
        const result = parseOpenAiRequest(path, body, {});
        expect(result.ok || result.problem.message.length > 0).toBe(true);
      },
    ),
  );
});

test("wrong types anywhere in a request are refused or ignored, never thrown", () => {
  const anything = fc.jsonValue();
  fc.assert(
    fc.property(
      fc.record(
        {
          model: fc.oneof(fc.constant("m"), anything),
          messages: fc.oneof(fc.array(fc.oneof(message, anything)), anything),
          prompt: anything,
          input: anything,
          tools: anything,
          stream: anything,
          stream_options: anything,
          max_tokens: anything,
          cache_salt: anything,
          conversation: anything,
        },
        { requiredKeys: ["model"] },
      ),
      fc.constantFrom("/v1/chat/completions", "/v1/completions", "/v1/responses", "/v1/embeddings"),
      (body, path) => {
        expect(parseOpenAiRequest(path, encodeUtf8(JSON.stringify(body)), {})).toHaveProperty("ok");
      },
    ),
  );
});
