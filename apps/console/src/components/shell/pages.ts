/** The work pages, in the order of the rail. A page is listed when it exists. */
export const PAGES = [
  { id: "fleet", title: "Fleet", href: "/fleet", key: "f" },
  { id: "decisions", title: "Decisions", href: "/decisions", key: "d" },
  { id: "policies", title: "Policies", href: "/policies", key: "p" },
  { id: "settings", title: "Settings", href: "/settings", key: "," },
] as const;

export type PageId = (typeof PAGES)[number]["id"];

/** Search parameters that go along from page to page. */
export const STICKY_PARAMS = ["from", "to", "tz", "live", "model", "pool"] as const;

/** Address of a page that keeps range, zone, pause and filter. */
export function pageHref(href: string, current: URLSearchParams): string {
  const kept = new URLSearchParams();
  for (const name of STICKY_PARAMS) {
    const value = current.get(name);
    if (value !== null) kept.set(name, value);
  }
  const query = kept.toString();
  return query === "" ? href : `${href}?${query}`;
}
