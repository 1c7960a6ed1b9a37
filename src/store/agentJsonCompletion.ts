import { findNodeAtLocation, getLocation, getNodeValue, parseTree, type JSONPath } from "jsonc-parser";
import type { JsonObject, JsonValue } from "../base";

/** Something that can stand where the cursor is. */
export interface JsonCompletion {
  /** What it is called: the name of a field, or the value as JSON. */
  readonly label: string;
  readonly text: string;
  readonly words?: string;
  /** What it takes the place of: offsets in the text. */
  readonly start: number;
  readonly end: number;
}

/** What a schema lets stand at an offset of a text, whole or half typed. Never throws. */
export function jsonCompletions(text: string, offset: number, schema: JsonObject): JsonCompletion[] {
  const { path, isAtPropertyKey, previousNode } = getLocation(text, offset);
  const isInside = previousNode && previousNode.offset <= offset && offset <= previousNode.offset + previousNode.length;
  const start = isInside ? previousNode.offset : offset;
  const end = isInside ? previousNode.offset + previousNode.length : offset;
  const at = { start, end };
  const tree = parseTree(text);
  const value = (where: JSONPath): unknown => {
    const node = tree && findNodeAtLocation(tree, where);
    return node && (getNodeValue(node) as unknown);
  };
  if (isAtPropertyKey) {
    const around = path.slice(0, -1);
    const own = String(path.at(-1) ?? "");
    const taken = Object.keys(value(around) ?? {}).filter((name) => !(isInside && name === own));
    const hasColon = /^\s*:/.test(text.slice(end));
    return propertiesAt(schema, around)
      .filter(([name]) => !taken.includes(name))
      .map(([name, field]) => ({
        label: name,
        text: hasColon ? JSON.stringify(name) : `${JSON.stringify(name)}: ${valueToBegin(field)}`,
        ...words(field),
        ...at,
      }));
  }
  const around = value(path.slice(0, -1));
  const listed = typeof path.at(-1) === "number" && Array.isArray(around) ? (around as readonly unknown[]) : [];
  const own = isInside ? previousNode.value : undefined;
  return schemasAt(schema, path)
    .flatMap((field) => valuesOf(field).map((each) => ({ each, field })))
    .filter(({ each }) => !listed.includes(each) || each === own)
    .filter(({ each }, index, all) => all.findIndex((other) => labelOf(other.each) === labelOf(each)) === index)
    .map(({ each, field }) => ({ label: labelOf(each), text: JSON.stringify(each), ...words(field), ...at }));
}

/** What is said of the field an offset is in, and where that field or value is. */
export function jsonHover(
  text: string,
  offset: number,
  schema: JsonObject,
): { readonly words: string; readonly start: number; readonly end: number } | undefined {
  const { path, previousNode } = getLocation(text, offset);
  if (!previousNode || path.length === 0) return undefined;
  // A value that says nothing of itself has the words of its field.
  const found = path.map((_, index) => schemasAt(schema, path.slice(0, path.length - index))).find(hasWords);
  const description = found?.find((field) => typeof field["description"] === "string")?.["description"];
  if (typeof description !== "string") return undefined;
  return { words: description, start: previousNode.offset, end: previousNode.offset + previousNode.length };
}

function hasWords(fields: readonly JsonObject[]): boolean {
  return fields.some(({ description }) => typeof description === "string");
}

/** Every schema that holds at a path: one, or those of a choice. */
function schemasAt(schema: JsonObject, path: JSONPath): readonly JsonObject[] {
  const choices = alternatives(schema);
  const [first, ...rest] = path;
  if (first === undefined) return [schema];
  return choices.flatMap((choice) => {
    const inner = typeof first === "number" ? choice["items"] : objectOf(choice["properties"])[first];
    return inner === undefined ? [] : schemasAt(objectOf(inner), rest);
  });
}

function propertiesAt(schema: JsonObject, path: JSONPath): [name: string, field: JsonObject][] {
  return schemasAt(schema, path)
    .flatMap(alternatives)
    .flatMap((field) =>
      Object.entries(objectOf(field["properties"])).map(([name, inner]): [string, JsonObject] => [
        name,
        objectOf(inner),
      ]),
    );
}

function alternatives(schema: JsonObject): readonly JsonObject[] {
  const { anyOf } = schema;
  return Array.isArray(anyOf) ? (anyOf as readonly JsonValue[]).map(objectOf) : [schema];
}

/** The values a schema names. */
function valuesOf(schema: JsonObject): readonly JsonValue[] {
  return alternatives(schema).flatMap((choice) => {
    if (Array.isArray(choice["enum"])) return choice["enum"] as readonly JsonValue[];
    return [choice["const"], choice["default"]].filter((value) => value !== undefined);
  });
}

const BEGINNINGS: Readonly<Record<string, string>> = { string: '""', array: "[]", object: "{}", integer: "1" };

/** What a field is begun with. */
function valueToBegin(schema: JsonObject): string {
  const [value] = valuesOf(schema);
  if (value !== undefined) return JSON.stringify(value);
  const { type } = schema;
  return typeof type === "string" ? (BEGINNINGS[type] ?? "null") : "null";
}

function labelOf(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function words({ description }: JsonObject): { words?: string } {
  return typeof description === "string" ? { words: description } : {};
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return value !== null && typeof value === "object" && !Array.isArray(value) ? (value as JsonObject) : {};
}
