"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useViewer } from "#components/shell/viewer-provider.tsx";
import { LoadFailure } from "#components/ui/load-failure.tsx";
import { Panel, PanelHead } from "#components/ui/panel.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { SkeletonRows } from "#components/ui/skeleton.tsx";
import { counted } from "#format/number.ts";
import { useTRPC } from "#trpc/client.tsx";
import { failureDetails } from "#trpc/failure-details.ts";
import { InvitationNotice } from "./invitation-notice.tsx";
import { MemberRow } from "./member-row.tsx";
import { NewMemberForm } from "./new-member-form.tsx";

/** An invitation just made: its link is shown this once. */
export interface FreshInvitation {
  readonly email: string;
  readonly token: string;
  readonly expiresAtMs: number;
}

/** Members with their roles; invitations instead of first passwords. */
export function MembersPanel() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const viewer = useViewer();
  const members = useQuery(trpc.members.list.queryOptions());
  const [fresh, setFresh] = useState<FreshInvitation | null>(null);
  const settle = {
    onSettled: () => queryClient.invalidateQueries({ queryKey: trpc.members.pathKey() }),
  };
  const changeRole = useMutation(trpc.members.changeRole.mutationOptions(settle));
  const remove = useMutation(trpc.members.remove.mutationOptions(settle));
  const inviteAgain = useMutation(trpc.members.inviteAgain.mutationOptions(settle));
  const failed = [changeRole, remove, inviteAgain].find((mutation) => mutation.isError);

  return (
    <Panel>
      <PanelHead
        title="Members"
        note={members.data === undefined ? undefined : counted(members.data.length, "person", "people")}
      />
      {fresh === null ? null : <InvitationNotice invitation={fresh} onClose={() => setFresh(null)} />}
      {failed === undefined ? null : (
        <p role="alert" className="border-t bg-crit-soft px-3 py-2 text-crit">
          ■ {failureDetails(failed.error).message}
        </p>
      )}
      {members.data === undefined && members.isError ? (
        <LoadFailure error={members.error} what="the members" onRetry={() => members.refetch()} />
      ) : (
        <ScrollRegion label="Members" className="border-t">
          <table className="table-dense">
            <thead>
              <tr>
                <th>Name</th>
                <th className="w-full">E-mail</th>
                <th>Role</th>
                <th className="text-right!">Last seen</th>
                <th>
                  <span className="sr-only">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {members.data === undefined ? (
                <SkeletonRows rows={3} columns={5} />
              ) : (
                members.data.map((member) => (
                  <MemberRow
                    key={member.id}
                    member={member}
                    isSelf={member.id === viewer.userId}
                    onRole={(role) => changeRole.mutate({ userId: member.id, role })}
                    onRemove={() => remove.mutate({ userId: member.id })}
                    onInvite={() =>
                      inviteAgain.mutate(
                        { userId: member.id },
                        { onSuccess: (invitation) => setFresh({ email: member.email, ...invitation }) },
                      )
                    }
                  />
                ))
              )}
            </tbody>
          </table>
        </ScrollRegion>
      )}
      <NewMemberForm onInvited={setFresh} />
    </Panel>
  );
}
