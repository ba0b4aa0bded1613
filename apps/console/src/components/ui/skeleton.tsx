import { classNames } from "./class-names.ts";

/** Placeholder with the final geometry; shown only when a first load takes noticeably long. */
export function Skeleton({ className }: { readonly className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={classNames(
        "block animate-[skeleton_1.6s_ease-in-out_infinite] rounded-sm bg-raise",
        className,
      )}
    />
  );
}

/** Rows of a table that is still loading. */
export function SkeletonRows({ rows, columns }: { readonly rows: number; readonly columns: number }) {
  return Array.from({ length: rows }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: placeholder rows have no identity and never move
    <tr key={row}>
      {Array.from({ length: columns }, (_, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <td key={column}>
          <Skeleton className="h-2.5 w-3/5" />
        </td>
      ))}
    </tr>
  ));
}
