import type { ReactNode } from "react";
import { classNames } from "#components/ui/class-names.ts";
import type { POLICY_TABS } from "#search-params/policy-params.ts";

type Tab = (typeof POLICY_TABS)[number];

export function PolicyTabs({
  tab,
  liveRevision,
  hasDraft,
  onTab,
}: {
  readonly tab: Tab;
  readonly liveRevision: number | null;
  readonly hasDraft: boolean;
  readonly onTab: (tab: Tab) => void;
}) {
  const revision = liveRevision === null ? null : <span className="text-muted">rev {liveRevision}</span>;
  const tabs: readonly { readonly id: Tab; readonly label: ReactNode }[] = [
    { id: "current", label: <>Current {revision}</> },
    {
      id: "edit",
      label: hasDraft ? (
        <>
          Edit <span className="text-draft">✎ draft</span>
        </>
      ) : (
        "Edit"
      ),
    },
    {
      id: "versions",
      label: (
        <>Versions {liveRevision === null ? null : <span className="text-muted">{liveRevision}</span>}</>
      ),
    },
  ];
  return (
    <div className="flex min-h-9 flex-none flex-wrap items-stretch gap-1 border-b px-4">
      <h1 className="mr-3 text-lead leading-9 font-semibold tracking-tight">Policy</h1>
      <nav aria-label="Policy" className="flex flex-wrap items-stretch gap-1">
        {tabs.map(({ id, label }) => (
          <button
            key={id}
            type="button"
            aria-current={id === tab ? "page" : undefined}
            onClick={() => onTab(id)}
            className={classNames(
              "relative flex items-center gap-1.5 px-3 whitespace-nowrap text-muted hover:text-text focus-visible:-outline-offset-2",
              id === tab &&
                "font-medium text-text after:absolute after:inset-x-2 after:-bottom-px after:h-0.5 after:bg-accent",
            )}
          >
            {label}
          </button>
        ))}
      </nav>
    </div>
  );
}
