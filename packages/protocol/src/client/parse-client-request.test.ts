import { expect, test } from "vitest";
import { decodeUtf8 } from "../bytes/decode-utf8.ts";
import { encodeUtf8 } from "../bytes/encode-utf8.ts";
import { partText } from "../openai/part-text.ts";
import { parseClientRequest } from "./parse-client-request.ts";
import { renameModel } from "./rename-model.ts";

const json = (body: unknown) => encodeUtf8(JSON.stringify(body));

const form = encodeUtf8(
  [
    "--B",
    'Content-Disposition: form-data; name="file"; filename="a.wav"',
    "Content-Type: audio/wav",
    "",
    "RIFF",
    "--B",
    'Content-Disposition: form-data; name="stream"',
    "",
    "true",
    "--B",
    'Content-Disposition: form-data; name="model"',
    "",
    "openai/whisper-large-v3",
    "--B--",
    "",
  ].join("\r\n"),
);
const formHeaders = { "content-type": "multipart/form-data; boundary=B", "x-session-id": "s" };

test("an Anthropic request gives tools, system and messages in the engine's order", () => {
  const result = parseClientRequest(
    "/v1/messages",
    json({
      model: "m",
      max_tokens: 64,
      stream: true,
      system: [{ type: "text", text: "be kind" }],
      tools: [{ name: "t" }],
      metadata: { user_id: "u1" },
      messages: [
        { role: "user", content: "hi" },
        { role: "assistant", content: [{ type: "tool_use", id: "1", name: "t", input: { a: 1 } }] },
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "1", content: [{ type: "text", text: "42" }] }],
        },
      ],
    }),
    {},
  );
  expect(result).toMatchObject({
    ok: true,
    request: {
      kind: "messages",
      model: "m",
      isStreaming: true,
      maxOutputTokens: 64,
      sessionHints: { user: "u1" },
    },
  });
  const parts = result.ok ? result.request.prompts[0]?.parts.map(partText) : [];
  expect(parts).toEqual([
    "\u0001tools\n",
    '[{"name":"t"}]',
    "\u0001system\n",
    "be kind",
    "\u0001user\n",
    "hi",
    "\u0001assistant\n",
    "\u0001calls\n",
    "t",
    '{"a":1}',
    "\u0001user\n",
    "\u0001tool\n",
    "42",
  ]);
});

test("a Triton request names its model in the path and its prompt in text_input", () => {
  expect(
    parseClientRequest(
      "/v2/models/my%20model/versions/1/generate_stream?x=1",
      json({ text_input: "hi", max_tokens: 8 }),
      {},
    ),
  ).toMatchObject({
    ok: true,
    request: {
      kind: "generate",
      model: "my model",
      isStreaming: true,
      maxOutputTokens: 8,
      prompts: [{ parts: ["hi"] }],
    },
  });
  expect(parseClientRequest("/v2/models/m/generate", json({ other: 1 }), {})).toMatchObject({
    ok: true,
    request: { isStreaming: false, prompts: [] },
  });
  expect(parseClientRequest("/v2/models/%zz/generate", json({}), {})).toMatchObject({
    ok: false,
    problem: { field: "path" },
  });
});

test("an audio form gives its model wherever the part stands", () => {
  expect(parseClientRequest("/v1/audio/transcriptions", form, formHeaders)).toMatchObject({
    ok: true,
    request: {
      kind: "audio",
      model: "openai/whisper-large-v3",
      isStreaming: true,
      sessionHints: { "x-session-id": "s" },
      prompts: [{ mediaCount: 1 }],
    },
  });
});

test("an audio request that is no form, cut short, or without a model is refused", () => {
  const refuse = (bytes: Uint8Array, headers: Record<string, string>) =>
    parseClientRequest("/v1/audio/translations", bytes, headers);
  expect(refuse(json({ model: "m" }), { "content-type": "application/json" })).toMatchObject({
    problem: { field: "content-type" },
  });
  expect(refuse(form.subarray(0, 200), formHeaders)).toMatchObject({ problem: { field: "body" } });
  expect(refuse(encodeUtf8("--B--\r\n"), formHeaders)).toMatchObject({ problem: { field: "model" } });
});

test("renaming the model changes that value and nothing else, in each protocol", () => {
  const renamedForm = renameModel("audio", "/v1/audio/transcriptions", form, formHeaders, "other");
  expect(decodeUtf8(renamedForm.body)).toBe(decodeUtf8(form)?.replace("openai/whisper-large-v3", "other"));
  expect(renameModel("generate", "/v2/models/a/versions/1/generate?q=1", form, {}, "b/c")).toEqual({
    path: "/v2/models/b%2Fc/versions/1/generate?q=1",
    body: form,
  });
  const chat = encodeUtf8('{"messages":[],"model" : "a","seed":12345678901234567890}');
  expect(decodeUtf8(renameModel("chat", "/v1/chat/completions", chat, {}, "b").body)).toBe(
    '{"messages":[],"model" : "b","seed":12345678901234567890}',
  );
});

test("the session key follows the policy's sources in their order", () => {
  const result = parseClientRequest(
    "/v1/chat/completions",
    json({
      model: "m",
      messages: [{ role: "user", content: "x" }],
      user: " ",
      conversation: { id: "c" },
      metadata: { tenant: "t" },
      n: 1,
    }),
    { "x-custom": "h" },
  );
  const key = (...sources: string[]) => (result.ok ? result.request.sessionKey(sources) : "refused");
  expect(key("body:user", "body:conversation", "header:x-custom")).toBe("c");
  expect(key("header:X-Custom", "body:conversation")).toBe("h");
  expect(key("body:metadata.tenant")).toBe("t");
  expect(key("body:n", "body:constructor", "body:metadata", "header:x-absent")).toBeNull();
});
