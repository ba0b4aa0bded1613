import { z } from "zod";
import type { SessionStep } from "../simulation/workload.ts";
import { parseJsonLine } from "./json-line.ts";
import { traceLines } from "./trace-lines.ts";
import { TraceFormatError, type TraceRequest } from "./trace-request.ts";

const BLOCK_TOKENS = 64;

const idsDelta = z.object({
  keep: z.int().min(0),
  add: z.array(z.tuple([z.int().min(0), z.int().min(0)])),
});

const inferenceEntry = z.object({
  type: z.enum(["n", "s"]),
  in: z.int().min(1),
  out: z.int().min(0),
  /** Seconds between the answer before and this request. */
  think_time: z.number().min(0).nullish(),
  hash_ids_delta: idsDelta,
});

const subagentEntry = z.object({
  type: z.literal("subagent"),
  requests: z.array(inferenceEntry),
  tool_tokens: z.int().min(0).nullish(),
  system_tokens: z.int().min(0).nullish(),
});

const session = z.object({
  id: z.string(),
  models: z.array(z.string()),
  tool_tokens: z.int().min(0),
  system_tokens: z.int().min(0),
  requests: z.array(z.discriminatedUnion("type", [inferenceEntry, subagentEntry])),
});

/** One recorded coding session, as a client that waits for each answer. */
export interface AgenticSession {
  readonly id: string;
  readonly steps: readonly SessionStep[];
  /** Longest prompt with its answer. */
  readonly maxTokens: number;
}

export interface AgenticOptions {
  /** Sessions with a longer request are left out: the model could not serve them. */
  readonly maxTokens: number;
  /** Longer pauses are cut to this. */
  readonly maxThinkMs: number;
}

/**
 * Reads coding-agent sessions (JSON lines, one session each, optionally gzipped), block ids as differences to the
 * request before. Ids mean nothing across sessions, so each session gets a range of its own; the leading blocks that
 * hold tools and system prompt are shared between sessions of equal model and sizes.
 * @throws TraceFormatError that names line and field
 */
export async function readAgenticTrace(file: string, options: AgenticOptions): Promise<AgenticSession[]> {
  const ids = new SessionIds();
  const sessions: AgenticSession[] = [];
  for await (const { number, text } of traceLines(file)) {
    const parsed = parseAgenticLine(text, file, number, ids, options.maxThinkMs);
    if (parsed.maxTokens <= options.maxTokens) sessions.push(parsed);
  }
  return sessions;
}

/** One line of an agentic trace. @throws TraceFormatError */
export function parseAgenticLine(
  text: string,
  file: string,
  line: number,
  ids: SessionIds,
  maxThinkMs: number,
): AgenticSession {
  const { id, models, requests, tool_tokens, system_tokens } = parseJsonLine(session, text, file, line);
  const range = ids.begin();
  const steps: SessionStep[] = [];
  let maxTokens = 0;
  const add = (
    into: SessionStep[],
    entry: z.output<typeof inferenceEntry>,
    previous: readonly number[],
    shared: readonly number[],
  ): readonly number[] => {
    const { keep, add: ranges } = entry.hash_ids_delta;
    if (keep > previous.length) {
      throw new TraceFormatError(file, line, `hash_ids_delta.keep: ${keep} of ${previous.length} ids`);
    }
    const local = previous.slice(0, keep);
    for (const [from, to] of ranges) for (let value = from; value <= to; value += 1) local.push(value);
    const blockIds = Int32Array.from(local, (value, index) => shared[index] ?? range.idOf(value));
    const request: TraceRequest = {
      atMs: 0,
      promptTokens: entry.in,
      outputTokens: Math.max(1, entry.out),
      blockIds,
      blockTokens: BLOCK_TOKENS,
      sessionKey: id,
      adapter: null,
    };
    maxTokens = Math.max(maxTokens, entry.in + entry.out);
    into.push({ kind: "request", thinkMs: Math.min(maxThinkMs, (entry.think_time ?? 0) * 1000), request });
    return local;
  };

  const shared = ids.sharedPrefix(models.join("+"), tool_tokens, system_tokens);
  let previous: readonly number[] = [];
  for (const entry of requests) {
    if (entry.type !== "subagent") {
      previous = add(steps, entry, previous, shared);
      continue;
    }
    const branch: SessionStep[] = [];
    const agentShared = ids.sharedPrefix("subagent", entry.tool_tokens ?? 0, entry.system_tokens ?? 0);
    let agentPrevious: readonly number[] = [];
    for (const inner of entry.requests) agentPrevious = add(branch, inner, agentPrevious, agentShared);
    const last = steps.at(-1);
    // Sub-agents started one after the other without a request between them run side by side.
    if (last?.kind === "parallel")
      steps[steps.length - 1] = { kind: "parallel", branches: [...last.branches, branch] };
    else steps.push({ kind: "parallel", branches: [branch] });
  }
  range.end();
  return { id, steps, maxTokens };
}

/** Hands out block ids: a range per session, and ids shared by equal tool and system prompts. */
export class SessionIds {
  #next = 1;
  readonly #shared = new Map<string, number[]>();

  begin(): { idOf(local: number): number; end(): void } {
    const first = this.#next;
    let most = 0;
    return {
      idOf: (local) => {
        most = Math.max(most, local);
        return first + local;
      },
      end: () => {
        this.#next = Math.max(this.#next, first + most + 1);
      },
    };
  }

  sharedPrefix(name: string, toolTokens: number, systemTokens: number): readonly number[] {
    const key = `${name}/${toolTokens}/${systemTokens}`;
    const known = this.#shared.get(key);
    if (known !== undefined) return known;
    // Far above every session's range, and still exact once expanded to engine blocks.
    const first = 2 ** 28 + [...this.#shared.values()].reduce((sum, list) => sum + list.length, 0);
    const length = Math.floor((toolTokens + systemTokens) / BLOCK_TOKENS);
    const list = Array.from({ length }, (_, index) => first + index);
    this.#shared.set(key, list);
    return list;
  }
}
