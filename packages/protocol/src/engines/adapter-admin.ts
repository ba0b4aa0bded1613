/** An administrative request to one replica: always POST with a JSON body. */
export interface AdminRequest {
  readonly path: string;
  readonly body: string;
}

export type AdapterAction = "load" | "unload";

/**
 * What an engine's answer to a load or unload says. Success is a claim: several processes behind one port keep their
 * own lists, so the model list has to confirm it.
 */
export type AdapterOutcome =
  | { readonly ok: true /** It was so before: nothing changed. */; readonly wasAlready: boolean }
  | {
      readonly ok: false;
      /** `unsupported`: the route is not there; `not_found`: the path of the weights is wrong; `refused`, `engine_error`. */
      readonly code: "unsupported" | "not_found" | "refused" | "engine_error";
      readonly message: string;
    };

/** How an engine loads and unloads adapters while it runs. */
export interface AdapterAdmin {
  /** @param path where the engine finds the weights */
  readonly load: (name: string, path: string) => AdminRequest;
  readonly unload: (name: string) => AdminRequest;
  readonly readAnswer: (action: AdapterAction, status: number, body: string) => AdapterOutcome;
  /** Said when the routes are not there. */
  readonly hint: string;
}

/** How a request names an adapter to an engine. */
export interface AdapterAddress {
  /** The value of the body's `model`. */
  readonly model: string;
  /** A `lora_path` to add, null when the model says it all. */
  readonly loraPath: string | null;
}

/** Most engines take an adapter's name in place of the model's. */
export function addressByName(_base: string, adapter: string): AdapterAddress {
  return { model: adapter, loraPath: null };
}

const MAX_MESSAGE_LENGTH = 500;

/** An engine's message, short enough to store and show. */
export function shortMessage(message: string): string {
  return message.length <= MAX_MESSAGE_LENGTH ? message : `${message.slice(0, MAX_MESSAGE_LENGTH)}…`;
}
