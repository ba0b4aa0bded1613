import type { ReplicaView } from "./fleet-snapshot.ts";
import { mix32, textHash } from "./hash.ts";
import type { ReplicaId } from "./replica.ts";

/**
 * Highest-random-weight order of replicas for a key: every key has its own order, and a replica that leaves moves only
 * the keys it was first for. @returns each replica's place, 0 first.
 */
export function rendezvousOrder(key: string, views: readonly ReplicaView[]): ReadonlyMap<ReplicaId, number> {
  const keyHash = textHash(key, 0x2545f491);
  const weighed = views.map(({ id }) => ({ id, weight: mix32(keyHash ^ textHash(id, 0x1b873593)) }));
  weighed.sort((x, y) => y.weight - x.weight || (x.id < y.id ? -1 : 1));
  return new Map(weighed.map(({ id }, place) => [id, place]));
}
