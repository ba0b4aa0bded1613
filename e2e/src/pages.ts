/** Every page of the console, with what shows that it has its data. */
export const PAGES = [
  { name: "fleet", path: "/fleet?from=now-15m&to=now", shows: /median/i },
  { name: "fleet-table", path: "/fleet?as=table&from=now-15m&to=now", shows: /r-01/ },
  { name: "replica", path: "/fleet?open=r-01&from=now-15m&to=now", shows: /median/i },
  { name: "decisions", path: "/decisions?from=now-15m&to=now", shows: /all kept/ },
  { name: "policy", path: "/policies", shows: /rev \d+/ },
  { name: "policy-edit", path: "/policies?tab=edit", shows: /Type to start a draft/ },
  { name: "policy-versions", path: "/policies?tab=versions", shows: /nothing is ever changed or removed/ },
  { name: "settings", path: "/settings", shows: /settings/i },
] as const;

/** Pages for people who have not signed in. */
export const STRANGER_PAGES = [{ name: "sign-in", path: "/sign-in", shows: /Sign in/ }] as const;

export const THEMES = ["dark", "light"] as const;
