import { z } from "zod";
import { policyDocument } from "./policy.ts";

/**
 * JSON Schema (draft 2020-12) of the policy document as an operator writes it: fields with a default are optional,
 * and each field's description is the help an editor shows.
 */
export function policyJsonSchema(): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(policyDocument, { io: "input", target: "draft-2020-12" });
}
