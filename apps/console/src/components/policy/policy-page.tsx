"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useQueryStates } from "nuqs";
import { useEffect } from "react";
import { Button } from "#components/ui/button.tsx";
import { Empty } from "#components/ui/empty.tsx";
import { LoadFailure } from "#components/ui/load-failure.tsx";
import { useLiveTopic } from "#live/live-provider.tsx";
import { policyParams } from "#search-params/policy-params.ts";
import { useTRPC } from "#trpc/client.tsx";
import { PolicySkeleton } from "./policy-skeleton.tsx";
import { PolicyTabs } from "./policy-tabs.tsx";
import { useDraft } from "./use-draft.ts";

// Each with what it needs: reading does not load the editor's checks.
const loading = () => <PolicySkeleton />;
const CurrentTab = dynamic(() => import("./current-tab.tsx").then((file) => file.CurrentTab), {
  ssr: false,
  loading,
});
const EditTab = dynamic(() => import("./edit-tab.tsx").then((file) => file.EditTab), { ssr: false, loading });
const VersionsTab = dynamic(() => import("./versions-tab.tsx").then((file) => file.VersionsTab), {
  ssr: false,
  loading,
});

/** The routing policy: what is in force, the edit of it, and every version there was. */
export function PolicyPage() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [{ tab }, setParams] = useQueryStates(policyParams, { history: "push" });
  const live = useQuery(trpc.policies.live.queryOptions());
  const announced = useLiveTopic("policy", true)?.live?.revision ?? null;
  const known = live.data?.revision ?? null;
  const edit = useDraft();

  // The stream says that there is a newer revision; the text is fetched then.
  useEffect(() => {
    if (announced !== null && known !== announced) {
      void queryClient.invalidateQueries({ queryKey: trpc.policies.pathKey() });
    }
  }, [announced, known, queryClient, trpc]);

  return (
    <>
      <PolicyTabs
        tab={tab}
        liveRevision={known}
        hasDraft={edit.draft !== null}
        onTab={(next) => setParams({ tab: next })}
      />
      <div className="flex min-h-0 flex-1 flex-col gap-2 px-4 pt-2 pb-4 max-[1100px]:flex-none">
        {live.data === undefined && live.isError ? (
          <LoadFailure error={live.error} what="the policy" onRetry={() => live.refetch()} />
        ) : live.data === undefined || !edit.isLoaded ? (
          <PolicySkeleton />
        ) : live.data === null ? (
          <Empty
            title="There is no policy yet."
            action={<Button onClick={() => live.refetch()}>Look again</Button>}
          >
            A router writes the first revision when it starts on an empty database, from POLICY_FILE or the
            default. Start one with <code className="mono">npm run router</code>.
          </Empty>
        ) : tab === "current" ? (
          <CurrentTab
            live={live.data}
            hasDraft={edit.draft !== null}
            onEdit={() => setParams({ tab: "edit" })}
          />
        ) : tab === "edit" ? (
          <EditTab live={live.data} draft={edit.draft} setDraft={edit.setDraft} />
        ) : (
          <VersionsTab live={live.data} />
        )}
      </div>
    </>
  );
}
