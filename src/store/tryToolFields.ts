import type { JsonObject, JsonValue } from "../base";

/** How an argument is written in a form; `json` is what no simpler field can hold. */
export type TryFieldKind = "line" | "text" | "number" | "integer" | "boolean" | "choice" | "lines" | "json";

/** One argument of a tool as a form asks for it. */
export interface TryField {
  readonly name: string;
  readonly kind: TryFieldKind;
  readonly isRequired: boolean;
  readonly description: string;
  /** Of a choice: its values as JSON, so that `1` and `"1"` are two. */
  readonly choices: readonly string[];
  /** What it may be, in words: `text`, `whole number from 1`, `true or false`. */
  readonly words: string;
}

/** What is written in each field, by the argument's name. */
export type TryTexts = Readonly<Record<string, string>>;

/** Arguments whose texts are seldom of one line. */
const LONG_TEXT = /(text|content|contents|body|code|script|markdown|prompt|message)$/i;

/** The fields of a tool's arguments, required ones first; `undefined` where its schema names none to ask for. */
export function tryFields(schema: JsonObject): readonly TryField[] | undefined {
  const properties = object(schema["properties"]);
  if (properties === undefined) return undefined;
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : []);
  const fields = Object.entries(properties).map(([name, property]) =>
    tryField(name, object(property) ?? {}, required.has(name)),
  );
  return [...fields.filter(({ isRequired }) => isRequired), ...fields.filter(({ isRequired }) => !isRequired)];
}

function tryField(name: string, schema: JsonObject, isRequired: boolean): TryField {
  const { kind, choices = [], words } = fieldForm(name, schema);
  const description = typeof schema["description"] === "string" ? schema["description"] : "";
  return { name, kind, isRequired, description, choices, words };
}

interface FieldForm {
  readonly kind: TryFieldKind;
  readonly choices?: readonly string[];
  readonly words: string;
}

function fieldForm(name: string, schema: JsonObject): FieldForm {
  const listed = schema["const"] === undefined ? schema["enum"] : [schema["const"]];
  if (Array.isArray(listed)) {
    return { kind: "choice", choices: listed.map((value) => JSON.stringify(value)), words: "one of these" };
  }
  switch (oneType(schema["type"])) {
    case "string":
      return { kind: LONG_TEXT.test(name) ? "text" : "line", words: "text" };
    case "integer":
      return { kind: "integer", words: `whole number${rangeWords(schema)}` };
    case "number":
      return { kind: "number", words: `number${rangeWords(schema)}` };
    case "boolean":
      return { kind: "boolean", choices: ["true", "false"], words: "true or false" };
    case "array":
      return oneType(object(schema["items"])?.["type"]) === "string" && object(schema["items"])?.["enum"] === undefined
        ? { kind: "lines", words: "texts, one a line" }
        : { kind: "json", words: "a list, as JSON" };
    case "object":
      return { kind: "json", words: "an object, as JSON" };
    default:
      return { kind: "json", words: "JSON" };
  }
}

/** The type of a schema that allows one, beside null; models send null for what they leave out. */
function oneType(type: JsonValue | undefined): string | undefined {
  const types = (Array.isArray(type) ? type : [type]).filter((one) => one !== "null");
  return types.length === 1 && typeof types[0] === "string" ? types[0] : undefined;
}

function rangeWords({ minimum, maximum }: JsonObject): string {
  const from = typeof minimum === "number" ? ` from ${minimum}` : "";
  const to = typeof maximum === "number" ? ` to ${maximum}` : "";
  return `${from}${to}`;
}

export type TryInput =
  | { readonly input: JsonObject }
  /** What cannot be read, by the argument's name; under the empty name what concerns all of them. */
  | { readonly problems: Readonly<Record<string, string>> };

/** The arguments a form holds. An optional field left empty is left out; the tool itself checks the rest. */
export function inputFromTexts(fields: readonly TryField[], texts: TryTexts): TryInput {
  const input: Record<string, JsonValue> = {};
  const problems: Record<string, string> = {};
  for (const field of fields) {
    const text = texts[field.name] ?? "";
    if (text === "" && (!field.isRequired || !isText(field.kind))) continue;
    const value = valueFromText(field, text);
    if (value === undefined) problems[field.name] = `Write ${PROBLEM_WORDS[field.kind] ?? field.words}.`;
    else input[field.name] = value;
  }
  return Object.keys(problems).length === 0 ? { input } : { problems };
}

/** The required arguments a form leaves empty, by their names. A text of several lines may be empty: a file, say. */
export function missingTexts(fields: readonly TryField[], texts: TryTexts): Readonly<Record<string, string>> {
  const missing = fields.filter(({ name, kind, isRequired }) => isRequired && kind !== "text" && !texts[name]);
  return Object.fromEntries(missing.map(({ name }) => [name, `${name} is required.`]));
}

const PROBLEM_WORDS: { readonly [Kind in TryFieldKind]?: string } = {
  integer: "a whole number",
  number: "a number",
  json: 'JSON, such as ["a"] or { "b": 1 }',
};

function isText(kind: TryFieldKind): boolean {
  return kind === "line" || kind === "text";
}

function valueFromText({ kind }: TryField, text: string): JsonValue | undefined {
  switch (kind) {
    case "line":
    case "text":
      return text;
    case "lines":
      return text.split("\n").filter((line) => line !== "");
    case "integer":
    case "number": {
      const value = Number(text);
      const fits = kind === "integer" ? Number.isSafeInteger(value) : Number.isFinite(value);
      return text.trim() !== "" && fits ? value : undefined;
    }
    default:
      return jsonFromText(text);
  }
}

/** All arguments from one text of JSON. */
export function inputFromJson(text: string): TryInput {
  const value = text.trim() === "" ? {} : jsonFromText(text);
  const input = value === undefined ? undefined : object(value);
  return input === undefined
    ? { problems: { "": 'Write the arguments as one JSON object, such as { "path": "/a" }.' } }
    : { input };
}

/** What fields show of arguments that were written as JSON; `undefined` where they hold what no field could. */
export function textsFromInput(fields: readonly TryField[], input: JsonObject): TryTexts | undefined {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(input)) {
    const field = fields.find((one) => one.name === name);
    if (field === undefined || value === undefined) return undefined;
    texts[name] = textFromValue(field, value);
  }
  const back = inputFromTexts(fields, texts);
  const isSame = "input" in back && Object.keys(input).every((name) => isEqual(back.input[name], input[name]));
  return isSame ? texts : undefined;
}

function textFromValue({ kind }: TryField, value: JsonValue): string {
  if (isText(kind) && typeof value === "string") return value;
  if (kind === "lines" && Array.isArray(value)) return value.join("\n");
  return JSON.stringify(value);
}

function isEqual(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function jsonFromText(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

function object(value: JsonValue | undefined): JsonObject | undefined {
  return value !== null && typeof value === "object" && !Array.isArray(value) ? (value as JsonObject) : undefined;
}
