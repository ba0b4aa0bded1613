import { OWN_HEADER_PREFIX } from "./header-names.ts";

/**
 * Headers by which routers and engines steer requests among themselves. From a client they would choose a replica,
 * a rank or a KV transfer past the router's decision, so they are never believed and never forwarded.
 */
const INTERNAL: ReadonlySet<string> = new Set([
  // Endpoint pickers and prefill/decode sidecars.
  "x-gateway-destination-endpoint",
  "x-gateway-destination-endpoint-served",
  "x-gateway-destination-endpoint-subset",
  "x-prefiller-host-port",
  "x-encoder-hosts-ports",
  "x-data-parallel-host-port",
  "x-kv-cache-source-host-port",
  // Ranks and workers.
  "x-data-parallel-rank",
  "x-smg-target-worker",
  "target-pod",
  "routing-strategy",
  // Load reports are asked for by the router alone.
  "endpoint-load-metrics-format",
  // Makes a llama.cpp stream outlive its client, which would leak the slot.
  "x-conversation-id",
]);

const INTERNAL_PREFIXES = [OWN_HEADER_PREFIX, "x-override-", "x-llm-d-"] as const;

/** True for a lower-case name that clients may not send on to a replica. */
export function isInternalHeader(name: string): boolean {
  return INTERNAL.has(name) || INTERNAL_PREFIXES.some((prefix) => name.startsWith(prefix));
}
