import type { Fleet } from "./fleet/fleet.ts";
import { mergeModelCards } from "./fleet/model-catalog.ts";
import type { ClientReply } from "./http/client-reply.ts";
import { RouterError } from "./http/router-error.ts";

export interface ModelsDeps {
  readonly fleet: Fleet;
}

/** GET /v1/models: what the fleet serves, base models and adapters. */
export async function handleModels(deps: ModelsDeps, reply: ClientReply): Promise<void> {
  if (deps.fleet.size === 0) {
    throw new RouterError("no_replica", "The fleet is not known yet. Try again shortly.");
  }
  const upstreams = [...deps.fleet.upstreams()].sort((a, b) => (a.replica.id < b.replica.id ? -1 : 1));
  const data = mergeModelCards(
    upstreams.map((upstream) => upstream.modelCards),
    deps.fleet.models,
  );
  reply.sendJson(200, JSON.stringify({ object: "list", data }));
}
