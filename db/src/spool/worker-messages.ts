import type { DatabaseRole } from "../connect.ts";
import type { BlockKind } from "./block.ts";
import type { DrainEvent, DrainOptions, DrainStats } from "./drain.ts";

/** What the drain's thread is started with. */
export type DrainWorkerData = Omit<DrainOptions, "onEvent">;

/** To the drain's thread. */
export type ToDrain =
  | {
      readonly kind: "database";
      readonly url: string;
      readonly role: DatabaseRole | null;
      readonly applicationName: string;
    }
  | {
      readonly kind: "block";
      readonly block: BlockKind;
      readonly records: number;
      readonly payload: Uint8Array;
    }
  | { readonly kind: "close"; readonly limitMs: number };

/** From the drain's thread. `handled` counts the records of blocks it has taken over. */
export type FromDrain =
  | { readonly kind: "stats"; readonly stats: DrainStats; readonly handled: number }
  | { readonly kind: "event"; readonly event: DrainEvent }
  | { readonly kind: "closed"; readonly stats: DrainStats };
