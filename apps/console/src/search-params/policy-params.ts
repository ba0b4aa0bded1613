import { parseAsInteger, parseAsStringLiteral } from "nuqs/server";

export const POLICY_TABS = ["current", "edit", "versions"] as const;

/** Address of the Policies page. */
export const policyParams = {
  tab: parseAsStringLiteral(POLICY_TABS).withDefault("current"),
  /** Revision shown in the version list. */
  rev: parseAsInteger,
  /** How it is shown. */
  show: parseAsStringLiteral(["yaml", "meaning", "text"] as const).withDefault("yaml"),
};
