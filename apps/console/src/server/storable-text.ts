import { z } from "zod";

/** Text that Postgres can hold or compare with: any but the character NUL, which it refuses as an error of its own. */
export const storableText = z
  .string()
  .refine((text) => !text.includes("\0"), "must not contain the character NUL (U+0000)");
