import type { JsonObject } from "../json/json-object.ts";
import type { EngineError } from "./engine-error.ts";
import type { TokenUsage } from "./token-usage.ts";

/** What one event of a stream says. */
export interface EventFacts {
  /** The key whose string value is generated text; null when the event carries no token. */
  readonly tokenKey: string | null;
  readonly usage: TokenUsage | null;
  readonly error: EngineError | null;
  /** Reasons of the answers that finished with this event. */
  readonly finishReasons: readonly string[];
  /** The dialect's own last event. */
  readonly isEnd: boolean;
  /** Equally shaped events differ only in the token: they need no parsing. */
  readonly isPlainToken: boolean;
}

/** How a client protocol streams. */
export interface StreamDialect {
  /**
   * What marks a whole stream: `[DONE]`, an event of its own, or nothing but the end of the body after a whole
   * event. `unknown` where nobody says: then the HTTP framing alone tells a cut.
   */
  readonly endsWith: "done" | "event" | "body" | "unknown";
  readEvent(event: JsonObject): EventFacts;
  /** Event types that always carry one token and never anything else of interest. */
  readonly tokenEventTypes: ReadonlySet<string>;
}
