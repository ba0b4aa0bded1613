/** On every answer: the decision's id, the replica that served it, the policy revision that decided. */
export const DECISION_HEADER = "x-evenkeel-decision";
export const REPLICA_HEADER = "x-evenkeel-replica";
export const POLICY_HEADER = "x-evenkeel-policy";

/** Kept when the client sends a usable one, else made; both legs of a prefill/decode pair carry the same. */
export const REQUEST_ID_HEADER = "x-request-id";

/** Every header name of ours starts so; clients and replicas may set none of them. */
export const OWN_HEADER_PREFIX = "x-evenkeel-";
