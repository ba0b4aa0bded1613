import { isJsonObject, type JsonObject } from "../json/json-object.ts";
import { RequestProblemError } from "./request-problem.ts";

/** Body fields by which a router pairs prefill and decode engines. */
const PAIRING_FIELDS = [
  "bootstrap_host",
  "bootstrap_port",
  "bootstrap_room",
  "disaggregated_params",
] as const;

/** Keys of kv_transfer_params that make an engine fetch from, or hold blocks for, another machine. */
const TRANSFER_KEYS = [
  "do_remote_prefill",
  "do_remote_decode",
  "remote_engine_id",
  "remote_block_ids",
  "remote_host",
  "remote_port",
] as const;

/**
 * Refuses KV transfer instructions from a client: they would make an engine connect to a host of the client's choice or
 * read another request's cache. Other keys of kv_transfer_params, such as cache hints, pass.
 */
export function refuseTransferFields(body: JsonObject): void {
  for (const field of PAIRING_FIELDS) {
    if (body[field] !== undefined && body[field] !== null) {
      throw new RequestProblemError(field, `${field} is set by the router. Leave it out.`);
    }
  }
  const params = body["kv_transfer_params"];
  if (isJsonObject(params)) {
    for (const key of TRANSFER_KEYS) {
      if (params[key] !== undefined && params[key] !== null) {
        const field = `kv_transfer_params.${key}`;
        throw new RequestProblemError(field, `${field} is set by the router. Leave it out.`);
      }
    }
  }
}
