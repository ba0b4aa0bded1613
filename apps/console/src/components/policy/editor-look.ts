import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** The editor in the colours of the tokens; both themes follow from the variables. */
const look = EditorView.theme({
  "&": { height: "100%", backgroundColor: "transparent", color: "var(--text)", fontSize: "12px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-mono)", lineHeight: "18px" },
  ".cm-content": { caretColor: "var(--text)", padding: "8px 0" },
  ".cm-line": { padding: "0 12px 0 8px" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--muted)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 4px 0 12px", minWidth: "32px" },
  ".cm-activeLine, .cm-activeLineGutter": {
    backgroundColor: "color-mix(in srgb, var(--hover) 55%, transparent)",
  },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--accent-soft)",
  },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-tooltip": {
    backgroundColor: "var(--panel)",
    border: "1px solid var(--line-2)",
    borderRadius: "4px",
    color: "var(--text)",
    maxWidth: "420px",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    fontFamily: "var(--font-mono)",
    fontSize: "12px",
    maxHeight: "240px",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "3px 8px", lineHeight: "18px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--accent-soft)",
    color: "var(--text)",
  },
  ".cm-completionDetail": { color: "var(--muted)", fontStyle: "normal" },
  ".cm-completionInfo": { padding: "8px 12px", fontFamily: "var(--font-sans)" },
  ".cm-diagnostic": {
    padding: "4px 10px",
    borderLeft: "3px solid var(--crit)",
    fontFamily: "var(--font-sans)",
  },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--crit)",
    textDecorationSkipInk: "none",
    textUnderlineOffset: "3px",
  },
  ".cm-lint-marker-error": { content: "none", width: "8px", height: "8px", backgroundColor: "var(--crit)" },
  ".cm-gutter-lint": { width: "14px" },
  ".cm-gutter-lint .cm-gutterElement": { padding: "5px 3px" },
  ".cm-field-help": {
    padding: "8px 12px",
    fontFamily: "var(--font-sans)",
    fontSize: "12px",
    lineHeight: "16px",
  },
  ".cm-field-help code": { fontFamily: "var(--font-mono)", fontWeight: "500" },
  ".cm-field-help small": { display: "block", marginTop: "4px", color: "var(--muted)", fontSize: "11px" },
  ".cm-panels": { backgroundColor: "var(--panel)", color: "var(--text)", borderColor: "var(--line)" },
  ".cm-changedLine, .cm-insertedLine": { backgroundColor: "color-mix(in srgb, var(--dv0) 10%, transparent)" },
  ".cm-deletedChunk": {
    backgroundColor: "color-mix(in srgb, var(--dv4) 14%, transparent)",
    paddingLeft: "8px",
  },
  ".cm-deletedChunk .cm-deletedText, .cm-deletedText": {
    background: "color-mix(in srgb, var(--dv4) 18%, transparent)",
  },
  "&.cm-merge-b .cm-changedText, .cm-changedText": {
    background: "color-mix(in srgb, var(--dv0) 18%, transparent)",
  },
  ".cm-changeGutter": { width: "3px", paddingLeft: "0" },
  "& .cm-changeGutter .cm-changedLineGutter, &.cm-merge-b .cm-changedLineGutter": {
    background: "var(--dv0)",
  },
  "& .cm-changeGutter .cm-deletedLineGutter": { background: "var(--dv4)" },
  // The library's glyph is in neither of our fonts.
  ".cm-collapsedLines:before, .cm-collapsedLines:after": { content: "'⋯'" },
  ".cm-collapsedLines": {
    background: "var(--raise)",
    color: "var(--muted)",
    fontFamily: "var(--font-sans)",
    padding: "2px 12px",
  },
});

const highlighting = HighlightStyle.define([
  { tag: [tags.definition(tags.propertyName), tags.propertyName], color: "var(--text)" },
  { tag: [tags.comment, tags.meta], color: "var(--muted)" },
  { tag: [tags.string, tags.content, tags.attributeValue], color: "var(--accent)" },
  { tag: [tags.separator, tags.punctuation, tags.squareBracket, tags.brace], color: "var(--muted)" },
]);

export const editorLook = [look, syntaxHighlighting(highlighting)];
