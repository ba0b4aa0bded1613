import { type Rng, seededRng } from "@evenkeel/scheduler/rng";
import { drawExponential, drawLogNormal, zipfPicker } from "../random-draws.ts";
import type { SessionScript, SessionStep } from "../simulation/workload.ts";
import type { TraceRequest } from "./trace-request.ts";

const BLOCK_TOKENS = 64;

/** Hands out ids of blocks that nobody shares. */
class FreshBlocks {
  #next = 1_000_000;

  take(count: number): number[] {
    const ids = Array.from({ length: count }, (_, index) => this.#next + index);
    this.#next += count;
    return ids;
  }
}

export interface SharedPrefixOptions {
  readonly groups: number;
  readonly prefixTokens: number;
  readonly questionTokens: number;
  /** Median; spread 0.25, so hardly any answer is short. */
  readonly outputTokens: number;
  readonly ratePerSecond: number;
  readonly durationMs: number;
  readonly seed: number;
}

/** 150 tenants with a 6,000-token system prompt each and short questions: the shape behind business assistants. */
export const SHARED_PREFIX_DEFAULTS = {
  groups: 150,
  prefixTokens: 6016,
  questionTokens: 1200,
  outputTokens: 250,
} as const;

/** Requests of tenants with long shared prompts, Poisson arrivals, every tenant equally likely. */
export function sharedPrefixTrace(options: SharedPrefixOptions): TraceRequest[] {
  const rng = seededRng(options.seed);
  const fresh = new FreshBlocks();
  const prefixBlocks = Math.floor(options.prefixTokens / BLOCK_TOKENS);
  const requests: TraceRequest[] = [];
  const gapMs = 1000 / options.ratePerSecond;
  for (
    let atMs = drawExponential(rng, gapMs);
    atMs < options.durationMs;
    atMs += drawExponential(rng, gapMs)
  ) {
    const group = Math.floor(rng() * options.groups);
    const prefix = Array.from({ length: prefixBlocks }, (_, index) => group * 1000 + index);
    const question = Math.max(16, Math.round(drawLogNormal(rng, options.questionTokens, 0.3)));
    requests.push({
      atMs,
      promptTokens: prefixBlocks * BLOCK_TOKENS + question,
      outputTokens: Math.max(100, Math.round(drawLogNormal(rng, options.outputTokens, 0.25))),
      blockIds: [...prefix, ...fresh.take(Math.ceil(question / BLOCK_TOKENS))],
      blockTokens: BLOCK_TOKENS,
      sessionKey: null,
      adapter: null,
    });
  }
  return requests;
}

export interface PowerUserOptions {
  readonly users: number;
  readonly turns: number;
  /** First message: uniform between these. */
  readonly startTokens: readonly [number, number];
  readonly turnTokens: number;
  readonly outputTokens: number;
  readonly thinkMs: number;
  readonly seed: number;
}

/** Users with very long conversations, each waiting for the answer before the next turn: what makes pins uneven. */
export function powerUserSessions(options: PowerUserOptions): SessionScript[] {
  const fresh = new FreshBlocks();
  return Array.from({ length: options.users }, (_, user) => {
    const rng = seededRng(options.seed * 7919 + user);
    const [least, most] = options.startTokens;
    let blocks = fresh.take(Math.ceil((least + rng() * (most - least)) / BLOCK_TOKENS));
    const steps: SessionStep[] = [];
    for (let turn = 0; turn < options.turns; turn += 1) {
      if (turn > 0) {
        const added = drawLogNormal(rng, options.turnTokens, 0.8) + options.outputTokens;
        blocks = [...blocks, ...fresh.take(Math.max(1, Math.round(added / BLOCK_TOKENS)))];
      }
      const request: TraceRequest = {
        atMs: 0,
        promptTokens: blocks.length * BLOCK_TOKENS,
        outputTokens: Math.max(8, Math.round(drawLogNormal(rng, options.outputTokens, 0.6))),
        blockIds: blocks,
        blockTokens: BLOCK_TOKENS,
        sessionKey: `power-${user}`,
        adapter: null,
      };
      steps.push({
        kind: "request",
        thinkMs: turn === 0 ? 0 : drawExponential(rng, options.thinkMs),
        request,
      });
    }
    return { startAtMs: rng() * options.thinkMs * 3, steps };
  });
}

/**
 * A stand-in for tool-using traffic (synthetic): 42 % start with one fixed 6,144-token tool prompt and answer shortly,
 * 13 % with a fixed 2,560-token one, 45 % are chats under a common 512-token system prompt; batches every 3 s.
 */
export function toolAgentTrace(options: {
  readonly ratePerSecond: number;
  readonly durationMs: number;
  readonly seed: number;
}): TraceRequest[] {
  const rng = seededRng(options.seed);
  const fresh = new FreshBlocks();
  const chats: { blocks: number[]; turns: number }[] = [];
  const requests: TraceRequest[] = [];
  const gapMs = 1000 / options.ratePerSecond;
  for (
    let atMs = drawExponential(rng, gapMs);
    atMs < options.durationMs;
    atMs += drawExponential(rng, gapMs)
  ) {
    const kind = rng();
    const tickMs = Math.floor(atMs / 3000) * 3000;
    if (kind < 0.55) {
      const isLong = kind < 0.42;
      const prefix = isLong ? range(1, 96) : range(200, 40);
      const rest = Math.round(isLong ? rng() * 1500 : 300 + rng() * 400);
      const output = isLong ? (rng() < 0.5 ? 3 : 20 + rng() * 30) : 20;
      const blockIds = [...prefix, ...fresh.take(Math.ceil(rest / BLOCK_TOKENS))];
      requests.push(request(tickMs, prefix.length * BLOCK_TOKENS + rest, Math.round(output), blockIds, null));
      continue;
    }
    const isNew = chats.length === 0 || rng() < 0.35;
    const index = isNew ? chats.length : Math.floor(rng() * chats.length);
    const chat = chats[index] ?? { blocks: range(300, 8), turns: 0 };
    const added = drawLogNormal(rng, chat.turns === 0 ? 3000 : 600, 1);
    chat.blocks = [...chat.blocks, ...fresh.take(Math.max(1, Math.round(added / BLOCK_TOKENS)))];
    chat.turns += 1;
    chats[index] = chat;
    const tokens = Math.min(60_000, chat.blocks.length * BLOCK_TOKENS);
    requests.push(request(tickMs, tokens, 200 + Math.round(rng() * 800), chat.blocks, `chat-${index}`));
    if (chat.turns >= 8 || tokens >= 60_000) chats.splice(index, 1);
  }
  return requests;
}

/** Draws an adapter per session (per request where there is none) by a Zipf law. */
export function overlayAdapters(
  requests: readonly TraceRequest[],
  options: {
    readonly adapters: number;
    readonly skew: number;
    readonly share: number;
    readonly seed: number;
  },
): TraceRequest[] {
  const rng: Rng = seededRng(options.seed);
  const pick = zipfPicker(options.adapters, options.skew);
  const bySession = new Map<string, string | null>();
  return requests.map((original) => {
    const draw = (): string | null => (rng() < options.share ? `adapter-${pick(rng) + 1}` : null);
    if (original.sessionKey === null) return { ...original, adapter: draw() };
    const known = bySession.get(original.sessionKey);
    const adapter = known === undefined ? draw() : known;
    bySession.set(original.sessionKey, adapter);
    return { ...original, adapter };
  });
}

function range(first: number, length: number): number[] {
  return Array.from({ length }, (_, index) => first + index);
}

function request(
  atMs: number,
  promptTokens: number,
  outputTokens: number,
  blockIds: readonly number[],
  sessionKey: string | null,
): TraceRequest {
  return { atMs, promptTokens, outputTokens, blockIds, blockTokens: BLOCK_TOKENS, sessionKey, adapter: null };
}
