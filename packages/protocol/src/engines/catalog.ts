import type { EngineDialect } from "./engine.ts";
import type { EngineName } from "./engine-name.ts";
import { vllm } from "./vllm/dialect.ts";

/** Every engine spoken, by the name the fleet file uses. */
export const ENGINES: Readonly<Partial<Record<EngineName, EngineDialect>>> = { vllm };
