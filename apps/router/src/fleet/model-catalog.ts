import { z } from "zod";

const modelCard = z.looseObject({
  id: z.string(),
  parent: z.string().nullish(),
  max_model_len: z.number().nullish(),
});
export const modelList = z.object({ data: z.array(modelCard) });
export type ModelCard = z.infer<typeof modelCard>;

/**
 * One model list out of what the replicas list. Of cards for the same name the one with the smallest
 * `max_model_len` stands, so that no client plans for more than every replica takes; ties go by replica id, so that
 * two routers answer alike.
 * @param listed what each replica listed last, in the order of replica ids
 * @param served base models of the fleet file; a name nobody has listed yet gets a card of its own
 */
export function mergeModelCards(
  listed: readonly (readonly ModelCard[])[],
  served: ReadonlySet<string>,
): ModelCard[] {
  const merged = new Map<string, ModelCard>();
  for (const cards of listed) {
    for (const card of cards) {
      const isOffered = served.has(card.id) || (typeof card.parent === "string" && served.has(card.parent));
      const known = merged.get(card.id);
      if (isOffered && (known === undefined || lengthOf(card) < lengthOf(known))) merged.set(card.id, card);
    }
  }
  for (const model of served) {
    if (!merged.has(model))
      merged.set(model, { id: model, object: "model", created: 0, owned_by: "evenkeel" });
  }
  return [...merged.values()].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}

function lengthOf(card: ModelCard): number {
  return card.max_model_len ?? Number.POSITIVE_INFINITY;
}
