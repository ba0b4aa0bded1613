"use client";

import Link from "next/link";
import { usePathname, useSearchParams } from "next/navigation";
import { classNames } from "#components/ui/class-names.ts";
import { Logo, PageIcon } from "./icons.tsx";
import { PAGES, pageHref } from "./pages.ts";
import { RailFoot } from "./rail-foot.tsx";

/** The way between pages. Narrow below 1400 px and while `isSlim`. */
export function Rail({ isSlim }: { readonly isSlim: boolean }) {
  const path = usePathname();
  const params = useSearchParams();
  const wordClass = isSlim ? "sr-only" : "max-wide:sr-only";
  return (
    <aside
      className={classNames(
        "row-[2/-1] flex flex-col border-r bg-bg pb-2 max-wide:w-14",
        isSlim ? "w-14" : "w-52",
      )}
    >
      <Link
        href={pageHref("/fleet", params)}
        className={classNames(
          "flex h-11 flex-none items-center gap-2.5 border-b px-4 text-[14px] font-semibold tracking-tight max-wide:justify-center max-wide:px-0",
          isSlim && "justify-center px-0",
        )}
      >
        <Logo />
        <span className={wordClass}>Evenkeel</span>
      </Link>
      <nav aria-label="Pages" className="flex flex-col gap-0.5 p-2">
        {PAGES.map((page) => {
          const isCurrent = path === page.href || path.startsWith(`${page.href}/`);
          return (
            <Link
              key={page.id}
              href={pageHref(page.href, params)}
              aria-current={isCurrent ? "page" : undefined}
              title={page.title}
              className={classNames(
                "relative flex h-8 items-center gap-3 rounded-md px-3 text-muted hover:bg-hover hover:text-text max-wide:h-10 max-wide:justify-center max-wide:px-0",
                isSlim && "h-10 justify-center px-0",
                isCurrent &&
                  "bg-raise font-medium text-text before:absolute before:top-1.5 before:bottom-1.5 before:-left-2 before:w-0.5 before:bg-accent",
              )}
            >
              <PageIcon page={page.id} />
              <span className={wordClass}>{page.title}</span>
              <span
                aria-hidden="true"
                className={classNames(
                  "ml-auto font-mono text-[10px] text-muted max-wide:hidden",
                  isSlim && "hidden",
                )}
              >
                g {page.key}
              </span>
            </Link>
          );
        })}
      </nav>
      <RailFoot isHidden={isSlim} />
    </aside>
  );
}
