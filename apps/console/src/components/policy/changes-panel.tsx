"use client";

import { useState } from "react";
import { Panel, PanelHead } from "#components/ui/panel.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { Segmented } from "#components/ui/segmented.tsx";
import { counted } from "#format/number.ts";
import type { FieldChange } from "#policy/semantic-diff.ts";
import type { PolicyRevision } from "#trpc/outputs.ts";
import { SemanticChanges } from "./semantic-changes.tsx";
import { YamlPane } from "./yaml-pane.tsx";

/** What a draft changes against the live revision: by meaning first, as text second. */
export function ChangesPanel({
  live,
  text,
  changes,
  problems,
}: {
  readonly live: PolicyRevision;
  readonly text: string;
  readonly changes: readonly FieldChange[] | null;
  readonly problems: number;
}) {
  const [show, setShow] = useState<"meaning" | "text">("meaning");
  const isSameText = text === live.source;
  return (
    <Panel>
      <PanelHead
        title={changes === null ? "Changes" : counted(changes.length, "change")}
        note={`against rev ${live.revision}, live`}
      >
        <Segmented
          label="Show changes as"
          size="small"
          value={show}
          options={[
            { value: "meaning", label: "Meaning" },
            { value: "text", label: "YAML" },
          ]}
          onChange={setShow}
        />
      </PanelHead>
      {show === "text" ? (
        isSameText ? (
          <p className="border-t p-3 text-muted">The text is the same as rev {live.revision}.</p>
        ) : (
          <div className="min-h-0 flex-1 border-t">
            <YamlPane
              label={`Text changes against rev ${live.revision}`}
              value={text}
              comparedWith={live.source}
            />
          </div>
        )
      ) : changes === null ? (
        <p className="border-t p-3 text-muted">
          Changes are shown by meaning once the {counted(problems, "problem")} in the text{" "}
          {problems === 1 ? "is" : "are"} fixed.
        </p>
      ) : changes.length === 0 ? (
        <p className="border-t p-3 text-muted">
          {isSameText
            ? "Nothing is changed."
            : "Only wording, comments or order of keys differ. Routing would not change."}
        </p>
      ) : (
        <ScrollRegion label="Changes">
          <SemanticChanges changes={changes} />
        </ScrollRegion>
      )}
    </Panel>
  );
}
