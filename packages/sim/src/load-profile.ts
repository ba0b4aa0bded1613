/** The shape of generated chat traffic; token counts are of the simulated tokenizer (4 bytes each). */
export interface LoadProfile {
  /** Tenants, each with its own system prompt; requests pick them by a Zipf law. */
  readonly tenants: number;
  readonly tenantSkew: number;
  readonly systemPromptTokens: number;
  /** New user tokens per turn: median and spread of the logarithm. */
  readonly turnTokens: { readonly median: number; readonly sigma: number };
  readonly outputTokens: { readonly median: number; readonly sigma: number; readonly max: number };
  /** Mean number of turns of a session (geometric). */
  readonly meanTurns: number;
  /** Mean pause between an answer and the next turn. */
  readonly thinkMs: number;
  /** Share of sessions whose first message carries a long document, and its length. */
  readonly documentShare: number;
  readonly documentTokens: { readonly median: number; readonly sigma: number };
  /** Coefficient of variation of the gaps between session starts: 1 is Poisson. */
  readonly burstiness: number;
  /** Share of requests that hang up before the end. */
  readonly abortShare: number;
}

const chat: LoadProfile = {
  tenants: 12,
  tenantSkew: 1,
  systemPromptTokens: 600,
  turnTokens: { median: 120, sigma: 0.9 },
  outputTokens: { median: 140, sigma: 0.8, max: 1200 },
  meanTurns: 4,
  thinkMs: 3000,
  documentShare: 0.08,
  documentTokens: { median: 4000, sigma: 0.6 },
  burstiness: 1.5,
  abortShare: 0.02,
};

/** Named shapes of traffic. */
export const LOAD_PROFILES = {
  chat,
  /** A few users with very long conversations: what pins make uneven. */
  "power-users": {
    ...chat,
    tenants: 4,
    turnTokens: { median: 600, sigma: 0.8 },
    meanTurns: 20,
    thinkMs: 1500,
    documentShare: 0.3,
  },
  /** Many tenants with long shared prompts and short questions. */
  "shared-prompts": {
    ...chat,
    tenants: 60,
    tenantSkew: 0.7,
    systemPromptTokens: 3000,
    turnTokens: { median: 60, sigma: 0.5 },
    meanTurns: 1.5,
    documentShare: 0,
  },
  /** Mostly long documents with short answers. */
  documents: {
    ...chat,
    documentShare: 0.8,
    documentTokens: { median: 8000, sigma: 0.7 },
    outputTokens: { median: 60, sigma: 0.8, max: 400 },
    meanTurns: 2,
  },
} as const satisfies Record<string, LoadProfile>;

export type LoadProfileName = keyof typeof LOAD_PROFILES;

export function isLoadProfileName(name: string): name is LoadProfileName {
  return Object.hasOwn(LOAD_PROFILES, name);
}
