/** Colours and fonts of the matrix, read from the page's tokens so that both themes follow the style sheet. */
export interface MatrixTheme {
  readonly name: "dark" | "light";
  readonly bg: string;
  readonly text: string;
  readonly muted: string;
  readonly line: string;
  readonly lineStrong: string;
  readonly control: string;
  readonly accent: string;
  readonly ok: string;
  readonly warn: string;
  readonly crit: string;
  readonly unknown: string;
  /** Diverging stops, coolest first. */
  readonly diverging: readonly string[];
  readonly hot: string;
  readonly cool: string;
  readonly sans: string;
  readonly mono: string;
}

/** Reads the tokens in force at an element. */
export function readMatrixTheme(element: Element, name: "dark" | "light"): MatrixTheme {
  const style = getComputedStyle(element);
  const token = (variable: string) => style.getPropertyValue(variable).trim();
  const diverging = ["--dv0", "--dv1", "--dv2", "--dv3", "--dv4"].map(token);
  return {
    name,
    bg: token("--bg"),
    text: token("--text"),
    muted: token("--muted"),
    line: token("--line"),
    lineStrong: token("--line-2"),
    control: token("--ctl"),
    accent: token("--accent"),
    ok: token("--ok"),
    warn: token("--warn"),
    crit: token("--crit"),
    unknown: token("--unknown"),
    diverging,
    hot: token("--dv4"),
    cool: token("--dv0"),
    sans: style.fontFamily,
    mono: token("--mono") || "ui-monospace, monospace",
  };
}
