import { autocompletion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import type { Extension } from "@codemirror/state";
import { hoverTooltip } from "@codemirror/view";
import { cursorContext } from "#policy/cursor-context.ts";
import { fieldAt } from "#policy/field-at.ts";
import { type FieldHelp, fieldsAt, helpAt } from "#policy/policy-schema.ts";

/** Completion and help from the policy's own schema. */
export function policyLanguage(): Extension {
  return [autocompletion({ override: [complete], icons: false }), help];
}

function complete(context: CompletionContext): CompletionResult | null {
  const text = context.state.doc.toString();
  const cursor = cursorContext(text, context.pos);
  if (cursor === null) return null;
  // Unasked, only a word that has begun brings the list up.
  if (!context.explicit && cursor.typed === "") return null;
  if (cursor.field !== null) {
    const values = helpAt([...cursor.parent, cursor.field])?.values ?? [];
    if (values.length === 0) return null;
    return {
      from: cursor.from,
      options: values.map(({ value, description }) => ({
        label: value,
        ...(description === null ? {} : { info: description }),
      })),
      validFor: /^[\w-]*$/,
    };
  }
  const fields = fieldsAt(cursor.parent);
  if (fields.length === 0) return null;
  return {
    from: cursor.from,
    options: fields.map((field) => ({
      label: field.name,
      apply: field.isBlock ? `${field.name}:` : `${field.name}: `,
      detail: field.isRequired ? "required" : (field.facts[0] ?? ""),
      ...(field.description === null ? {} : { info: field.description }),
      boost: field.isRequired ? 1 : 0,
    })),
    validFor: /^\w*$/,
  };
}

const help = hoverTooltip((view, position) => {
  const field = fieldAt(view.state.doc.toString(), position);
  const found = field === null ? null : helpAt(field.path);
  if (field === null || found === null) return null;
  return { pos: field.from, end: field.to, above: true, create: () => ({ dom: helpBox(found) }) };
});

function helpBox(field: FieldHelp): HTMLElement {
  const box = document.createElement("div");
  box.className = "cm-field-help";
  const name = document.createElement("code");
  name.textContent = field.name;
  box.append(name, field.description === null ? "" : ` ${field.description}`);
  if (field.facts.length > 0) {
    const facts = document.createElement("small");
    facts.textContent = field.facts.join(" · ");
    box.append(facts);
  }
  return box;
}
