"use client";

import { createContext, type ReactNode, useContext } from "react";
import type { Viewer } from "#server/context.ts";
import { allows, type Role } from "#server/role.ts";

const Signed = createContext<Viewer | null>(null);

export function ViewerProvider({
  viewer,
  children,
}: {
  readonly viewer: Viewer;
  readonly children: ReactNode;
}) {
  return <Signed value={viewer}>{children}</Signed>;
}

/** Who is signed in. */
export function useViewer(): Viewer {
  const viewer = useContext(Signed);
  if (viewer === null) throw new Error("ViewerProvider is missing above this component.");
  return viewer;
}

/** Null when the person may, else the reason they may not. The server decides; this only explains beforehand. */
export function useRoleBlock(need: Role): string | null {
  const viewer = useViewer();
  return allows(viewer.role, need)
    ? null
    : `This needs the role ${need}; you are signed in as ${viewer.role}.`;
}
