import { editObject } from "../../json/edit-object.ts";

/** Where the decode engine of a pair fetches the prompt's KV from. */
export interface Bootstrap {
  /** The prefill engine's host as the decode engine reaches it. */
  readonly host: string;
  /** The prefill engine's --disaggregation-bootstrap-port, 8998 by default. */
  readonly port: number;
  /** Unique among unfinished requests; two alike would exchange their contents. */
  readonly room: number;
}

/** Rooms stay exact in every JSON parser below this. A request of n prompts takes n rooms in a row. */
const ROOM_LIMIT = Number.MAX_SAFE_INTEGER;

/**
 * The one body that goes to prefill and decode at the same time. A batch needs one entry per prompt.
 * @throws RangeError when a room would pass that limit
 * @param promptCount prompts in the request; 1 gives plain values
 */
export function bootstrapBody(body: Uint8Array, bootstrap: Bootstrap, promptCount: number): Uint8Array {
  if (
    !Number.isSafeInteger(bootstrap.room) ||
    bootstrap.room < 0 ||
    bootstrap.room > ROOM_LIMIT - (promptCount - 1)
  ) {
    throw new RangeError("bootstrap room must be a whole number of at least 0 and below 2^53");
  }
  const spread = <T>(value: (index: number) => T) =>
    JSON.stringify(
      promptCount === 1 ? value(0) : Array.from({ length: promptCount }, (_, index) => value(index)),
    );
  return editObject(body, {
    set: {
      bootstrap_host: spread(() => bootstrap.host),
      bootstrap_port: spread(() => bootstrap.port),
      bootstrap_room: spread((index) => bootstrap.room + index),
    },
  });
}
