import type { JsonObject, JsonValue } from "../base";
import type { FileSystem } from "../fs";
import { checkedInput } from "./checkedInput";
import { throwIfStopped } from "./stopping";
import type { ModelContent, Tool, ToolCall, ToolEffect } from "./tool";

/** One argument as the model is offered it, with the other names it is read under. */
export interface ArgumentShape {
  readonly schema: JsonObject;
  readonly required?: boolean;
  /** Beside its own name in snake case, which is always read. */
  readonly aliases?: readonly string[];
  /** Other spellings of its values, read as the published ones. */
  readonly valueAliases?: { readonly [value: string]: string };
}

export interface ToolShape {
  readonly name: string;
  readonly description: string;
  readonly effect: ToolEffect;
  readonly arguments: { readonly [name: string]: ArgumentShape };
  /** `undefined` for a value that is not of this tool's shape, as a log from elsewhere may hold. */
  modelText(output: JsonObject, input: JsonObject): string | readonly ModelContent[] | undefined;
}

/** A file tool before it is bound to a tree. */
export interface NativeDefinition extends ToolShape {
  /** The verbs that must be functions on a tree for the tool to be offered. */
  readonly verbs: readonly (keyof FileSystem)[];
  /** `input` has published names only and is checked. */
  run(tree: FileSystem, input: JsonObject, call: ToolCall): Promise<JsonValue>;
}

/** Binds a shape to what executes it; arguments are renamed and checked first. */
export function toolFromShape(shape: ToolShape, run: (input: JsonObject, call: ToolCall) => Promise<JsonValue>): Tool {
  const checked = (input: JsonObject) =>
    checkedInput(shape.name, inputSchemaFromShape(shape), publishedInput(shape, input));
  return {
    name: shape.name,
    description: shape.description,
    inputSchema: inputSchemaFromShape(shape),
    effect: shape.effect,
    native: true,
    async check(input) {
      checked(input);
    },
    async execute(input, call) {
      throwIfStopped(call.signal);
      return await run(checked(input), call);
    },
    modelText: (output, input) => textFromShape(shape, output, input),
  };
}

/** The text of a value of this tool; a value of another shape is shown as it is. */
export function textFromShape(
  shape: ToolShape,
  output: JsonValue,
  input: JsonObject,
): string | readonly ModelContent[] {
  if (typeof output === "string") return output;
  const text = isObject(output) ? shape.modelText(output, publishedInput(shape, input)) : undefined;
  return text ?? JSON.stringify(output);
}

export function inputSchemaFromShape(shape: ToolShape): JsonObject {
  const named = Object.entries(shape.arguments);
  return {
    type: "object",
    properties: Object.fromEntries(named.map(([name, argument]) => [name, argument.schema])),
    required: named.filter(([, argument]) => argument.required === true).map(([name]) => name),
  };
}

/** The same input under published names. A published name wins over its aliases; keys nobody knows stay. */
export function publishedInput(shape: ToolShape, input: JsonObject): JsonObject {
  const result: Record<string, JsonValue | undefined> = { ...input };
  for (const [name, argument] of Object.entries(shape.arguments)) {
    for (const alias of spellings(name, argument)) {
      if (isAbsent(result[alias]) || !isAbsent(result[name])) continue;
      result[name] = result[alias];
      delete result[alias];
    }
    const value = result[name];
    const published = typeof value === "string" ? argument.valueAliases?.[value] : undefined;
    if (published !== undefined) result[name] = published;
  }
  return result;
}

function spellings(name: string, argument: ArgumentShape): string[] {
  const listed = argument.aliases ?? [];
  return [...new Set([snakeCase(name), ...listed, ...listed.map(camelCase)])].filter((alias) => alias !== name);
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

/** Models send `null` for an argument they leave out. */
function isAbsent(value: JsonValue | undefined): boolean {
  return value === undefined || value === null;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
