import type { Actor } from "@evenkeel/db/audit-entries";
import type { Context, Viewer } from "./context.ts";

/** Who the audit entry of a change names. */
export function actorOf(ctx: Omit<Context, "viewer"> & { readonly viewer: Viewer }): Actor {
  return {
    name: ctx.viewer.name,
    role: ctx.viewer.role,
    origin: "ui",
    ip: ctx.address,
    requestId: ctx.requestId,
  };
}
