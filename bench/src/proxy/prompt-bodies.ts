import { seededRandom } from "./seeded-random.ts";

/** Sizes of request bodies, KiB; about 200, 1,000, 16,000 and 100,000 prompt tokens. */
export const BODY_SIZES_KB = [1, 4, 64, 400] as const;
export type BodyKb = (typeof BODY_SIZES_KB)[number];

/** The one model every replica serves. */
export const BENCH_MODEL = "bench-model";

const SESSIONS = 8;
/** Consecutive turns of one session: each request repeats the one before it and adds a turn. */
const TURNS = 4;
/** Share of a body that is a system prompt all sessions have in common. */
const SYSTEM_SHARE = 0.25;
/** Share of a body that one turn adds. */
const TURN_SHARE = 0.02;

const WORDS = (
  "the of and to in is that for it as with on be by this are from at or have an they which you one we all there " +
  "when your can said use each many then them these so some her would make like into time has look two more write " +
  "go see number way could people than first water been call who its now find long down day did get come made may " +
  'part table index query replica "quoted" über naïve 東京 cache token latency stream answer function return value'
).split(" ");

/**
 * Chat requests of eight sessions over four turns each: one shared system prompt, a history of the session's own, a
 * new question per turn. Turn by turn, so that a body's predecessor of the same session is eight requests earlier.
 * Equal arguments give equal bytes.
 */
export function promptBodies(bodyKb: BodyKb, isStreaming: boolean, seed: number): Buffer[] {
  const random = seededRandom(seed * 1_000 + bodyKb);
  const text = (bytes: number): string => {
    const words: string[] = [];
    for (let length = 0; length < bytes; ) {
      const word = WORDS[Math.floor(random() * WORDS.length)] ?? "the";
      words.push(word);
      length += Buffer.byteLength(word) + 1;
    }
    return words.join(" ");
  };
  const size = bodyKb * 1_024 - 300;
  const system = text(size * SYSTEM_SHARE);
  const turnBytes = Math.max(40, (size * TURN_SHARE) / 2);
  const historyBytes = size * (1 - SYSTEM_SHARE) - 2 * TURNS * turnBytes;
  const sessions = Array.from({ length: SESSIONS }, (_, session) => ({
    id: `session-${seed}-${session}`,
    messages: [
      { role: "system", content: system },
      { role: "user", content: text(historyBytes / 2) },
      { role: "assistant", content: text(historyBytes / 2) },
    ],
  }));
  const bodies: Buffer[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    for (const session of sessions) {
      session.messages.push({ role: "user", content: text(turnBytes) });
      const request = {
        model: BENCH_MODEL,
        stream: isStreaming,
        max_tokens: 100,
        user: session.id,
        messages: session.messages,
      };
      bodies.push(Buffer.from(JSON.stringify(request)));
      session.messages.push({ role: "assistant", content: text(turnBytes) });
    }
  }
  return bodies;
}

/** A whole HTTP/1.1 request for `body`. */
export function chatRequest(port: number, body: Buffer): Buffer {
  const head =
    `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\n` +
    `authorization: Bearer none\r\naccept: */*\r\nuser-agent: evenkeel-bench\r\ncontent-length: ${body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}
