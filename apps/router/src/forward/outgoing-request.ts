import { renameModel } from "@evenkeel/protocol/client/rename-model";
import type { EngineDialect } from "@evenkeel/protocol/engines/engine";
import { editObject } from "@evenkeel/protocol/json/edit-object";
import type { RouteKind } from "@evenkeel/protocol/openai/route-kind";
import type { HeaderRecord } from "@evenkeel/protocol/openai/session-hints";

/** A client's request as it arrived. */
export interface ArrivedRequest {
  readonly kind: RouteKind;
  readonly path: string;
  readonly headers: HeaderRecord;
  readonly body: Buffer;
  /** The value of its `model`. */
  readonly model: string;
  /** It names its adapter beside the model, in the engine's own way. */
  readonly hasLoraPath: boolean;
}

/** What was decided about its model. */
export interface ModelTarget {
  readonly baseModel: string | null;
  readonly adapter: string | null;
}

/**
 * The path and body for one engine: the very bytes that arrived, unless this engine names the adapter in another way
 * than the client did; then only that value changes.
 */
export function outgoingRequest(
  arrived: ArrivedRequest,
  target: ModelTarget,
  dialect: EngineDialect,
): { readonly path: string; readonly body: Uint8Array } {
  const { kind, path, headers, body, model } = arrived;
  if (target.adapter === null || target.baseModel === null || arrived.hasLoraPath) return { path, body };
  const address = dialect.adapters.address(target.baseModel, target.adapter);
  const renamed =
    address.model === model ? { path, body } : renameModel(kind, path, body, headers, address.model);
  if (address.loraPath === null || kind === "audio") return renamed;
  const lora = { lora_path: JSON.stringify(address.loraPath) };
  return { path: renamed.path, body: editObject(renamed.body, { set: lora }) };
}
