import { Panel } from "#components/ui/panel.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { EditorSkeleton } from "./yaml-pane.tsx";

/** The page's panels before their content. */
export function PolicySkeleton() {
  return (
    <>
      <Panel className="h-14 flex-none justify-center px-4">
        <Skeleton className="h-4 w-96" />
      </Panel>
      <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)_432px] gap-2">
        <Panel>
          <EditorSkeleton />
        </Panel>
        <Panel />
      </div>
    </>
  );
}
