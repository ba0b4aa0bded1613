import { policyJsonSchema } from "@evenkeel/scheduler/policy-json-schema";
import { z } from "zod";
import type { FieldPath } from "./yaml-source.ts";

interface SchemaNode {
  readonly description?: string | undefined;
  readonly default?: unknown;
  readonly type?: string | readonly string[] | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly const?: unknown;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly properties?: Readonly<Record<string, SchemaNode>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly items?: SchemaNode | undefined;
  readonly additionalProperties?: SchemaNode | boolean | undefined;
  readonly anyOf?: readonly SchemaNode[] | undefined;
  readonly oneOf?: readonly SchemaNode[] | undefined;
}

const schemaNode: z.ZodType<SchemaNode> = z.lazy(() =>
  z.object({
    description: z.string().optional(),
    default: z.unknown().optional(),
    type: z.union([z.string(), z.array(z.string())]).optional(),
    enum: z.array(z.unknown()).optional(),
    const: z.unknown().optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    properties: z.record(z.string(), schemaNode).optional(),
    required: z.array(z.string()).optional(),
    items: schemaNode.optional(),
    additionalProperties: z.union([z.boolean(), schemaNode]).optional(),
    anyOf: z.array(schemaNode).optional(),
    oneOf: z.array(schemaNode).optional(),
  }),
);

let root: SchemaNode | null = null;

/** The policy's JSON Schema, read once. */
function schema(): SchemaNode {
  root ??= schemaNode.parse(policyJsonSchema());
  return root;
}

/** What an editor says about one field. */
export interface FieldHelp {
  readonly name: string;
  readonly description: string | null;
  /** `default 3`, `1 to 10`, `one of a, b`; in this order, what applies. */
  readonly facts: readonly string[];
  readonly isRequired: boolean;
  /** Its value is a block of fields or a list. */
  readonly isBlock: boolean;
  /** Values to offer when there are few. */
  readonly values: readonly { readonly value: string; readonly description: string | null }[];
}

/** Help for the field at a path of the document; list elements may be given by index or by key. Null when there is no such field. */
export function helpAt(path: FieldPath): FieldHelp | null {
  const name = path.at(-1);
  if (typeof name !== "string") return null;
  const parents = nodesAt(path.slice(0, -1));
  for (const parent of parents) {
    const node = parent.properties?.[name];
    if (node !== undefined) return helpOf(name, parent, mergedNode(parents, name, node));
  }
  return null;
}

/** The fields that may stand in the block at a path. */
export function fieldsAt(path: FieldPath): readonly FieldHelp[] {
  const nodes = nodesAt(path);
  const names = new Set(nodes.flatMap((node) => Object.keys(node.properties ?? {})));
  return [...names].flatMap((name) => helpAt([...path, name]) ?? []);
}

/** Every variant that a path may stand for: a strategy's fields depend on its type. */
function nodesAt(path: FieldPath): readonly SchemaNode[] {
  let nodes = variants(schema());
  for (const part of path) {
    nodes = nodes.flatMap((node) => {
      const property = node.properties?.[String(part)];
      if (property !== undefined) return variants(property);
      if (node.items !== undefined) return variants(node.items);
      return typeof node.additionalProperties === "object" ? variants(node.additionalProperties) : [];
    });
  }
  return nodes;
}

function variants(node: SchemaNode): readonly SchemaNode[] {
  const choices = node.oneOf ?? node.anyOf;
  return choices === undefined ? [node] : choices.flatMap(variants);
}

/** A field that several variants fix to one value each, as a strategy's `type`, is one field with all these values. */
function mergedNode(parents: readonly SchemaNode[], name: string, node: SchemaNode): SchemaNode {
  if (node.const === undefined) return node;
  const values = parents
    .map((parent) => parent.properties?.[name]?.const)
    .filter((value) => value !== undefined);
  return { ...node, const: undefined, description: undefined, enum: values };
}

function helpOf(name: string, parent: SchemaNode, node: SchemaNode): FieldHelp {
  const values = (node.enum ?? (node.type === "boolean" ? [true, false] : [])).map((value) => ({
    value: String(value),
    description: describeChoice(name, value),
  }));
  const facts: string[] = [];
  if (node.default !== undefined && typeof node.default !== "object")
    facts.push(`default ${String(node.default)}`);
  if (node.minimum !== undefined && node.maximum !== undefined)
    facts.push(`${node.minimum} to ${node.maximum}`);
  if (values.length > 0) facts.push(`one of ${values.map(({ value }) => value).join(", ")}`);
  const isBlock =
    node.properties !== undefined ||
    node.items !== undefined ||
    node.oneOf !== undefined ||
    node.anyOf !== undefined;
  return {
    name,
    description: node.description ?? null,
    facts,
    isRequired: parent.required?.includes(name) ?? false,
    isBlock: isBlock || node.type === "object" || node.type === "array",
    values,
  };
}

/** For a variant's fixed value, what the variant is. */
function describeChoice(name: string, value: unknown): string | null {
  if (name !== "type") return null;
  const choice = nodesAt(["models", 0, "strategy"]).find((node) => node.properties?.[name]?.const === value);
  return choice?.description ?? null;
}
