import { z } from "zod";

const slotList = z.array(
  z.object({
    n_ctx: z.number().int().nonnegative(),
    is_processing: z.boolean(),
  }),
);

/** What llama.cpp's `/slots` says, which newer builds need in place of the KV gauge they dropped. */
export interface SlotUse {
  readonly total: number;
  readonly busy: number;
  /** Context over all slots, in tokens. */
  readonly contextTokens: number;
}

/** Reads `/slots`; null when the body is not a slot list. */
export function readSlots(body: string): SlotUse | null {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return null;
  }
  const slots = slotList.safeParse(json);
  if (!slots.success || slots.data.length === 0) {
    return null;
  }
  return {
    total: slots.data.length,
    busy: slots.data.filter((slot) => slot.is_processing).length,
    contextTokens: slots.data.reduce((total, slot) => total + slot.n_ctx, 0),
  };
}
