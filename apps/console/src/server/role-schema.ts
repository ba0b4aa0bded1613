import { z } from "zod";
import { ROLES } from "./role.ts";

/** A role as text from outside. */
export const role = z.enum(ROLES);
