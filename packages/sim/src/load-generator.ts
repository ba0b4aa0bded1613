import { type Rng, seededRng } from "@evenkeel/scheduler/rng";
import { Agent } from "undici";
import { fillerText } from "./filler-text.ts";
import { LOAD_PROFILES, type LoadProfile, type LoadProfileName } from "./load-profile.ts";
import { type LoadStatistics, LoadStatisticsCollector } from "./load-statistics.ts";
import { drawExponential, drawGap, drawLogNormal, zipfPicker } from "./random-draws.ts";
import { streamCompletion } from "./streaming-client.ts";

export interface LoadOptions {
  /** Base URL of an OpenAI-compatible server, without /v1. */
  readonly url: string;
  readonly model: string;
  /** Requests per second, over all sessions; can be changed while it runs. */
  readonly rate: number;
  readonly seed?: number;
  readonly profile?: LoadProfileName | LoadProfile;
  /** Most requests in flight; sessions that would start beyond it are skipped and counted. */
  readonly maxConcurrency?: number;
  /** Extra headers, for instance authorization. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Load {
  readonly statistics: LoadStatistics;
  /** Requests per second from now on; 0 pauses. */
  setRate(rate: number): void;
  /** Starts nothing new, hangs up on what is open, resolves when all is closed. */
  stop(): Promise<void>;
}

interface ChatMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/**
 * Multi-turn chat traffic by simulated users: open-loop session starts, a pause between turns, shared system prompts
 * per tenant, some long documents, some clients that hang up.
 */
export function startLoad(options: LoadOptions): Load {
  return new LoadGenerator(options);
}

class LoadGenerator implements Load {
  readonly #options: LoadOptions;
  readonly #profile: LoadProfile;
  readonly #rng: Rng;
  readonly #pickTenant: (rng: Rng) => number;
  readonly #agent: Agent;
  readonly #collector = new LoadStatisticsCollector();
  readonly #stopping = new AbortController();
  readonly #sessions = new Set<Promise<void>>();
  readonly #seed: number;
  #rate: number;
  #startTimer: NodeJS.Timeout | null = null;
  #started = 0;

  constructor(options: LoadOptions) {
    const profile = options.profile ?? "chat";
    this.#options = options;
    this.#profile = typeof profile === "string" ? LOAD_PROFILES[profile] : profile;
    this.#seed = options.seed ?? 1;
    this.#rng = seededRng(this.#seed);
    this.#pickTenant = zipfPicker(this.#profile.tenants, this.#profile.tenantSkew);
    this.#agent = new Agent({
      connections: options.maxConcurrency ?? 512,
      pipelining: 1,
      keepAliveTimeout: 4000,
    });
    this.#rate = options.rate;
    this.#planStart();
  }

  get statistics(): LoadStatistics {
    return this.#collector.statistics;
  }

  setRate(rate: number): void {
    if (!(rate >= 0)) throw new RangeError(`rate must be 0 or more requests per second, got ${rate}`);
    this.#rate = rate;
    if (this.#startTimer !== null) clearTimeout(this.#startTimer);
    this.#planStart();
  }

  async stop(): Promise<void> {
    if (this.#startTimer !== null) clearTimeout(this.#startTimer);
    this.#startTimer = null;
    this.#stopping.abort();
    await Promise.all(this.#sessions);
    await this.#agent.destroy();
  }

  #planStart(): void {
    if (this.#rate <= 0 || this.#stopping.signal.aborted) return;
    const meanGapMs = (1000 * this.#profile.meanTurns) / this.#rate;
    const gapMs = drawGap(this.#rng, meanGapMs, this.#profile.burstiness);
    this.#startTimer = setTimeout(() => {
      this.#planStart();
      this.#startSession();
    }, gapMs);
  }

  #startSession(): void {
    if (this.#collector.inFlight >= (this.#options.maxConcurrency ?? 512)) {
      this.#collector.skipped += 1;
      return;
    }
    this.#started += 1;
    const session = this.#runSession(this.#started).finally(() => this.#sessions.delete(session));
    this.#sessions.add(session);
  }

  async #runSession(number: number): Promise<void> {
    const profile = this.#profile;
    // A session's content depends on its own seed alone, so it does not change with the server's timing.
    const rng = seededRng(this.#seed * 1_000_003 + number);
    const tenant = this.#pickTenant(rng);
    const messages: ChatMessage[] = [
      { role: "system", content: fillerText(7919 * (tenant + 1), profile.systemPromptTokens) },
    ];
    const turns = 1 + Math.floor(drawExponential(rng, profile.meanTurns - 1));
    for (let turn = 0; turn < turns; turn += 1) {
      let userTokens = drawLogNormal(rng, profile.turnTokens.median, profile.turnTokens.sigma);
      if (turn === 0 && rng() < profile.documentShare) {
        userTokens += drawLogNormal(rng, profile.documentTokens.median, profile.documentTokens.sigma);
      }
      const content = fillerText(number * 4099 + turn, Math.max(1, Math.round(userTokens)));
      messages.push({ role: "user", content });
      const answer = await this.#send(
        messages,
        `session-${this.#seed}-${number}`,
        `tenant-${tenant + 1}`,
        rng,
      );
      if (answer === null) return;
      messages.push({ role: "assistant", content: answer });
      if (turn + 1 < turns && !(await this.#pause(drawExponential(rng, profile.thinkMs)))) return;
    }
  }

  /** Sends one turn. Returns the answer, or null when the session is over. */
  async #send(
    messages: readonly ChatMessage[],
    session: string,
    tenant: string,
    rng: Rng,
  ): Promise<string | null> {
    const { outputTokens, abortShare } = this.#profile;
    const limit = Math.round(drawLogNormal(rng, outputTokens.median, outputTokens.sigma));
    const hangUp = new AbortController();
    const willHangUp = rng() < abortShare;
    const hangUpTimer = willHangUp ? setTimeout(() => hangUp.abort(), 200 + 2000 * rng()) : null;
    this.#collector.sent += 1;
    this.#collector.inFlight += 1;
    const outcome = await streamCompletion({
      dispatcher: this.#agent,
      url: `${this.#options.url}/v1/chat/completions`,
      headers: { "x-session-id": session, ...this.#options.headers },
      body: JSON.stringify({
        model: this.#options.model,
        messages,
        max_tokens: Math.max(4, Math.min(outputTokens.max, limit)),
        ignore_eos: true,
        stream: true,
        stream_options: { include_usage: true },
        user: tenant,
      }),
      signal: AbortSignal.any([hangUp.signal, this.#stopping.signal]),
      keepsText: true,
    });
    this.#collector.inFlight -= 1;
    if (hangUpTimer !== null) clearTimeout(hangUpTimer);
    if (hangUp.signal.aborted || this.#stopping.signal.aborted) {
      this.#collector.aborted += 1;
      return null;
    }
    this.#collector.add(outcome);
    return outcome.error === null ? outcome.text : null;
  }

  /** Waits; false when the load is stopping. */
  async #pause(ms: number): Promise<boolean> {
    const { signal } = this.#stopping;
    if (signal.aborted) return false;
    return new Promise((resolve) => {
      const onAbort = (): void => {
        clearTimeout(timer);
        resolve(false);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener("abort", onAbort);
        resolve(true);
      }, ms);
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }
}
