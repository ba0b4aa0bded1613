"use client";

import { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { forceLinting, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { unifiedMergeView } from "@codemirror/merge";
import { Annotation, Compartment, EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import type { PlacedProblem } from "#policy/yaml-source.ts";
import { editorLook } from "./editor-look.ts";
import { policyLanguage } from "./policy-language.ts";

export interface YamlEditorProps {
  readonly label: string;
  readonly value: string;
  /** Absent: for reading only. */
  readonly onChange?: ((text: string) => void) | undefined;
  readonly problems?: readonly PlacedProblem[];
  /** Shows the differences from this text within the lines. */
  readonly comparedWith?: string | undefined;
  /** Page nonce; the editor adds a style element. */
  readonly nonce: string | undefined;
  /** Offset to go to; a new object goes there again. */
  readonly goTo?: { readonly offset: number } | null;
}

/** YAML with problems at their line, completion, help and differences. Loaded when first shown. */
export default function YamlEditor({
  label,
  value,
  onChange,
  problems,
  comparedWith,
  nonce,
  goTo,
}: YamlEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const change = useRef(onChange);
  const isEditable = onChange !== undefined;
  useEffect(() => {
    change.current = onChange;
  });

  // The editor owns its text; it is made again only when what it is changes. The text at that moment is the start.
  const firstValue = useRef(value);
  firstValue.current = value;
  useEffect(() => {
    if (host.current === null) return;
    const created = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: firstValue.current,
        extensions: [
          nonce === undefined ? [] : EditorView.cspNonce.of(nonce),
          base(label),
          isEditable
            ? editing((text) => change.current?.(text))
            : [EditorState.readOnly.of(true), EditorView.editable.of(false)],
          comparedWith === undefined ? [] : difference(comparedWith),
        ],
      }),
    });
    view.current = created;
    return () => {
      created.destroy();
      view.current = null;
    };
  }, [label, nonce, isEditable, comparedWith]);

  useEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() === value) return;
    editor.dispatch({
      changes: { from: 0, to: editor.state.doc.length, insert: value },
      annotations: givenText.of(true),
    });
  }, [value]);

  useEffect(() => {
    const editor = view.current;
    if (editor === null || problems === undefined) return;
    const end = editor.state.doc.length;
    const diagnostics = problems.map((problem) => ({
      from: Math.min(problem.from, end),
      to: Math.min(Math.max(problem.to, problem.from), end),
      severity: "error" as const,
      message: problem.message,
    }));
    editor.dispatch(setDiagnostics(editor.state, diagnostics));
    forceLinting(editor);
  }, [problems]);

  useEffect(() => {
    const editor = view.current;
    if (editor === null || !goTo) return;
    const position = Math.min(goTo.offset, editor.state.doc.length);
    editor.dispatch({
      selection: { anchor: position },
      effects: EditorView.scrollIntoView(position, { y: "center" }),
    });
    editor.focus();
  }, [goTo]);

  return <div ref={host} className="h-full min-h-0 overflow-hidden" />;
}

function base(label: string): Extension {
  return [
    editorLook,
    lineNumbers(),
    yaml(),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": label }),
    keymap.of(defaultKeymap),
  ];
}

const tabKey = new Compartment();
/** Marks a text that came from outside, such as a newly published revision: nobody typed it, so it starts no draft. */
const givenText = Annotation.define<boolean>();

function editing(onText: (text: string) => void): Extension {
  return [
    history(),
    drawSelection(),
    highlightActiveLine(),
    bracketMatching(),
    closeBrackets(),
    indentUnit.of("  "),
    lintGutter(),
    policyLanguage(),
    // Escape, then Tab leaves the editor: the keyboard must not be caught in it.
    tabKey.of(keymap.of([indentWithTab])),
    keymap.of([
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...historyKeymap,
      ...lintKeymap,
      { key: "Escape", run: releaseTab },
    ]),
    EditorView.domEventHandlers({
      focus: (_event, editor) => {
        editor.dispatch({ effects: tabKey.reconfigure(keymap.of([indentWithTab])) });
      },
    }),
    EditorView.updateListener.of((update) => {
      const isTyped = !update.transactions.some((transaction) => transaction.annotation(givenText));
      if (update.docChanged && isTyped) onText(update.state.doc.toString());
    }),
  ];
}

function releaseTab(editor: EditorView): boolean {
  editor.dispatch({ effects: tabKey.reconfigure([]) });
  return false;
}

function difference(original: string): Extension {
  return unifiedMergeView({
    original,
    mergeControls: false,
    gutter: true,
    highlightChanges: true,
    collapseUnchanged: { margin: 2, minSize: 4 },
  });
}
