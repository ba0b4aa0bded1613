"use client";

import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Status } from "#components/ui/status.tsx";
import { Tag } from "#components/ui/tag.tsx";
import { age } from "#format/time.ts";
import { useEditBlock } from "#live/live-provider.tsx";
import { useNow } from "#live/use-now.ts";
import { ROLES, type Role } from "#server/role.ts";
import { role as roleSchema } from "#server/role-schema.ts";
import type { Outputs } from "#trpc/outputs.ts";

type Member = Outputs["members"]["list"][number];

export function MemberRow({
  member,
  isSelf,
  onRole,
  onRemove,
  onInvite,
}: {
  readonly member: Member;
  readonly isSelf: boolean;
  readonly onRole: (role: Role) => void;
  readonly onRemove: () => void;
  readonly onInvite: () => void;
}) {
  const now = useNow();
  const storeBlock = useEditBlock();
  const [isSure, setIsSure] = useState(false);
  return (
    <tr>
      <td className="max-w-48 truncate font-medium" title={member.name}>
        {member.name} {isSelf ? <Tag>you</Tag> : null}
      </td>
      <td className="max-w-0 truncate" title={member.email}>
        {member.email}
      </td>
      <td>
        <select
          aria-label={`Role of ${member.name}`}
          value={member.role}
          disabled={storeBlock !== null}
          title={storeBlock ?? undefined}
          onChange={(event) => onRole(roleSchema.parse(event.target.value))}
          className="h-6 rounded-md border border-line-2 bg-bg px-1.5 text-label disabled:text-muted"
        >
          {ROLES.map((role) => (
            <option key={role}>{role}</option>
          ))}
        </select>
      </td>
      <td className="text-right text-muted">
        {now === 0 ? null : member.invitedUntilMs !== null ? (
          member.invitedUntilMs > now ? (
            <Status tone="unknown">invited, {age(member.invitedUntilMs - now)} left</Status>
          ) : (
            <Status tone="warn">link expired</Status>
          )
        ) : member.lastSeenAtMs === null ? (
          "signed out"
        ) : (
          age(now - member.lastSeenAtMs)
        )}
      </td>
      <td>
        <span className="flex justify-end gap-1">
          {isSure ? (
            <>
              <Button size="small" kind="quiet" onClick={() => setIsSure(false)}>
                Keep
              </Button>
              <Button size="small" kind="danger" disabledReason={storeBlock} onClick={onRemove}>
                Remove {member.name} and end their sessions
              </Button>
            </>
          ) : (
            <>
              <Button
                size="small"
                kind="quiet"
                disabledReason={storeBlock}
                onClick={onInvite}
                title="A new link to set a password"
              >
                New link
              </Button>
              <Button
                size="small"
                kind="quiet"
                disabledReason={isSelf ? "Another admin must remove you." : storeBlock}
                onClick={() => setIsSure(true)}
              >
                Remove…
              </Button>
            </>
          )}
        </span>
      </td>
    </tr>
  );
}
