import { helpAt } from "#policy/policy-schema.ts";
import { type FieldChange, pathWords, valueWords } from "#policy/semantic-diff.ts";

/** Changes by meaning: field, old value, new value, what the field does. */
export function SemanticChanges({ changes }: { readonly changes: readonly FieldChange[] }) {
  return (
    <ul>
      {changes.map((change) => {
        const help = helpAt(change.path);
        const key = pathWords(change.path);
        return (
          <li key={`${key}|${change.kind}`} className="border-t px-3 py-2.5">
            <div className="flex items-baseline justify-between gap-2">
              <span className="mono min-w-0 break-all text-muted">{key}</span>
              {change.kind === "changed" ? null : (
                <span className="text-micro text-muted">{change.kind}</span>
              )}
            </div>
            <div className="flex flex-wrap items-baseline gap-x-2 text-lead font-semibold [overflow-wrap:anywhere]">
              <s className="font-normal text-muted decoration-1">{valueWords(change.before)}</s>
              <span aria-hidden="true">→</span>
              <span className="sr-only">becomes</span>
              <span>{valueWords(change.after)}</span>
            </div>
            {help?.description ? <div className="text-label text-muted">{help.description}</div> : null}
          </li>
        );
      })}
    </ul>
  );
}
