import type { JsonObject, JsonValue } from "../base";
import { firstCharacters } from "./cutText";
import { ToolInputError } from "./toolInputError";

/**
 * The input as it was given once it fits the schema's subset we use: `type`, `enum`, `minimum`, `items`, `properties`,
 * `required`. Keys the schema does not name stay. `null` counts as absent where the schema does not allow it, as models
 * send it for "no value".
 * @throws ToolInputError for the first argument that does not fit
 */
export function checkedInput(toolName: string, schema: JsonObject, input: JsonObject): JsonObject {
  const properties = objectOf(schema["properties"]);
  const required = listOf(schema["required"]);
  for (const name of required) {
    if (typeof name !== "string" || isGiven(input[name], properties[name])) continue;
    const wanted = describe(objectOf(properties[name]));
    throw new ToolInputError(
      toolName,
      name,
      `the argument "${name}" is missing: give ${wanted}. ${acceptedArguments(properties, required)}`,
    );
  }
  for (const [name, value] of Object.entries(input)) {
    const argument = properties[name];
    if (argument === undefined || !isGiven(value, argument)) continue;
    const fault = faultOf(name, objectOf(argument), value);
    if (fault) throw new ToolInputError(toolName, fault.argument, fault.problem);
  }
  return Object.fromEntries(
    Object.entries(input).filter(([name, value]) => properties[name] === undefined || isGiven(value, properties[name])),
  );
}

interface Fault {
  readonly argument: string;
  readonly problem: string;
}

function faultOf(argument: string, schema: JsonObject, value: JsonValue): Fault | undefined {
  if (!fits(schema, value)) {
    return { argument, problem: `the argument "${argument}" must be ${describe(schema)}, not ${shown(value)}` };
  }
  if (Array.isArray(value) && schema["items"] !== undefined) {
    for (const [index, item] of value.entries()) {
      const fault = faultOf(`${argument}[${index}]`, objectOf(schema["items"]), item as JsonValue);
      if (fault) return fault;
    }
  }
  if (isObject(value) && schema["properties"] !== undefined) return objectFault(argument, schema, value);
  return undefined;
}

function objectFault(argument: string, schema: JsonObject, value: JsonObject): Fault | undefined {
  const properties = objectOf(schema["properties"]);
  for (const name of listOf(schema["required"])) {
    if (typeof name !== "string" || isGiven(value[name], properties[name])) continue;
    const inner = `${argument}.${name}`;
    return { argument: inner, problem: `"${inner}" is missing: give ${describe(objectOf(properties[name]))}` };
  }
  for (const [name, inner] of Object.entries(value)) {
    if (properties[name] === undefined || !isGiven(inner, properties[name])) continue;
    const fault = faultOf(`${argument}.${name}`, objectOf(properties[name]), inner);
    if (fault) return fault;
  }
  return undefined;
}

function fits(schema: JsonObject, value: JsonValue): boolean {
  const choices = schema["enum"];
  if (Array.isArray(choices) && !choices.includes(value)) return false;
  const minimum = schema["minimum"];
  if (typeof minimum === "number" && typeof value === "number" && value < minimum) return false;
  const types = typeof schema["type"] === "string" ? [schema["type"]] : listOf(schema["type"]);
  return types.length === 0 || types.some((type) => isOfType(type, value));
}

function isOfType(type: JsonValue, value: JsonValue): boolean {
  switch (type) {
    case "string":
      return typeof value === "string";
    case "boolean":
      return typeof value === "boolean";
    case "number":
      return typeof value === "number";
    case "integer":
      return typeof value === "number" && Number.isInteger(value);
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    case "null":
      return value === null;
    default:
      return true;
  }
}

/** "an integer of 1 or more", "a string: the file's path". */
function describe(schema: JsonObject): string {
  const description = schema["description"];
  const kind = kindOf(schema);
  return typeof description === "string" ? `${kind} (${firstSentence(description)})` : kind;
}

function kindOf(schema: JsonObject): string {
  const choices = schema["enum"];
  if (Array.isArray(choices)) return `one of ${choices.map((choice) => JSON.stringify(choice)).join(", ")}`;
  const minimum = schema["minimum"];
  const bound = typeof minimum === "number" ? ` of ${minimum} or more` : "";
  switch (schema["type"]) {
    case "integer":
      return `an integer${bound}`;
    case "array":
      return schema["items"] === undefined ? "a list" : `a list, each item ${kindOf(objectOf(schema["items"]))}`;
    case "object":
      return "an object";
    case "boolean":
      return "true or false";
    case "string":
    case "number":
      return `a ${schema["type"]}${bound}`;
    default:
      return "a value";
  }
}

function acceptedArguments(properties: JsonObject, required: readonly JsonValue[]): string {
  const names = Object.keys(properties).map((name) => (required.includes(name) ? `${name} (required)` : name));
  return `Accepted arguments: ${names.join(", ")}.`;
}

function firstSentence(text: string): string {
  return (text.split(/\.\s+(?=[A-Z])/)[0] ?? "").replace(/\.$/, "");
}

function shown(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${firstCharacters(text, 80)}…` : text;
}

function isGiven(value: JsonValue | undefined, schema: JsonValue | undefined): value is JsonValue {
  if (value !== null) return value !== undefined;
  const types = objectOf(schema).type;
  return types === "null" || listOf(types).includes("null");
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}
