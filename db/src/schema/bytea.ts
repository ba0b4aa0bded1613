import { customType } from "drizzle-orm/pg-core";

/** Raw bytes; Drizzle has no type of its own for them. */
export const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({
  dataType: () => "bytea",
});
