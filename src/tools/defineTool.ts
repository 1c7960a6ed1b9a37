import { DiscoveryError, nativeFileToolNames, type DiscoveryFault, type JsonObject, type JsonValue } from "../base";
import { checkedInput } from "./checkedInput";
import { throwIfStopped } from "./stopping";
import type { ModelContent, Tool, ToolCall, ToolEffect } from "./tool";
import { ToolInputError } from "./toolInputError";

/** A schema of any library that speaks Standard Schema and its JSON Schema part, e.g. zod. */
export interface StandardInputSchema<Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly validate: (value: unknown) => StandardResult<Input> | Promise<StandardResult<Input>>;
    readonly jsonSchema: { input(options: { target: "draft-2020-12" }): Record<string, unknown> };
  };
}

type StandardResult<Input> =
  | { readonly value: Input; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

export interface ToolDefinition<Input> {
  /** Letters, digits, `_` and `-`, at most 64; no name of a native file tool. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: StandardInputSchema<Input> | JsonObject;
  /** `write` when omitted, so that a dry run and approvals hold back what nobody has vouched for. */
  readonly effect?: ToolEffect;
  /** `server` when omitted: beside the loop. `agent` is a script for a shell, refused where there is none. */
  readonly execution?: "server" | "agent";
  readonly needsApproval?: boolean;
  readonly dryRunResult?: JsonValue;
  /** Input properties that carry time bounds; each must be in the schema. */
  readonly timeArgs?: readonly string[];
  /** May throw; the message becomes the call's error result. Keys the schema does not name come along. */
  execute(input: Input, call: ToolCall): JsonValue | Promise<JsonValue>;
  /** What the model reads; the value as JSON when omitted. Must not throw. */
  readonly modelText?: (output: JsonValue, input: JsonObject) => string | readonly ModelContent[];
}

/**
 * A tool of an author's own, checked and frozen.
 * @throws DiscoveryError with every fault found
 */
export function defineTool<Input = JsonObject>(definition: ToolDefinition<Input>): Tool {
  const faults = toolFaults(definition);
  if (faults.length > 0) throw new DiscoveryError(faults);
  const { name, description, effect = "write", execution, needsApproval, dryRunResult, timeArgs } = definition;
  const inputSchema = jsonSchemaOf(definition.inputSchema);
  return Object.freeze({
    name,
    description,
    inputSchema,
    effect,
    native: false,
    ...(execution === undefined ? {} : { execution }),
    ...(needsApproval === undefined ? {} : { needsApproval }),
    ...(dryRunResult === undefined ? {} : { dryRunResult }),
    ...(timeArgs === undefined ? {} : { timeArgs }),
    async check(input: JsonObject): Promise<void> {
      await parsedInput(name, definition.inputSchema, input);
    },
    async execute(input: JsonObject, call: ToolCall): Promise<JsonValue> {
      throwIfStopped(call.signal);
      return await definition.execute(await parsedInput(name, definition.inputSchema, input), call);
    },
    modelText: (output: JsonValue, input: JsonObject) =>
      definition.modelText?.(output, input) ?? (typeof output === "string" ? output : JSON.stringify(output)),
  });
}

async function parsedInput<Input>(
  name: string,
  schema: StandardInputSchema<Input> | JsonObject,
  input: JsonObject,
): Promise<Input> {
  if (!isStandardSchema(schema)) return checkedInput(name, schema, input) as Input;
  const result = await schema["~standard"].validate(input);
  if (result.issues === undefined) {
    const { value } = result;
    // A library's object schema drops keys it does not name; arguments are open.
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...input, ...value } : value;
  }
  const [issue] = result.issues;
  const argument = (issue?.path ?? []).map((part) => String(typeof part === "object" ? part.key : part)).join(".");
  const problems = result.issues.map(({ message }) => message).join("; ");
  throw new ToolInputError(name, argument, argument === "" ? problems : `the argument "${argument}": ${problems}`);
}

function toolFaults<Input>(definition: ToolDefinition<Input>): DiscoveryFault[] {
  const { name, description, inputSchema, effect, execution, timeArgs } = definition;
  const faults: DiscoveryFault[] = [];
  if (typeof name !== "string" || !/^[\w-]{1,64}$/.test(name)) {
    faults.push({
      field: "name",
      problem: `${JSON.stringify(name)} is no tool name.`,
      mend: "Use 1 to 64 letters, digits, _ and -.",
    });
  } else if ((nativeFileToolNames as readonly string[]).includes(name)) {
    faults.push({
      field: "name",
      problem: `${name} is a native file tool's name.`,
      mend: "Give the tool another name.",
    });
  }
  if (typeof description !== "string" || description.trim() === "") {
    faults.push({
      field: "description",
      problem: "It is missing.",
      mend: "Say what the tool does and when to use it.",
    });
  }
  if (typeof definition.execute !== "function") {
    faults.push({ field: "execute", problem: "It is not a function.", mend: "Give the function that runs the tool." });
  }
  if (effect !== undefined && !["read", "write", "always"].includes(effect)) {
    faults.push({
      field: "effect",
      problem: `${JSON.stringify(effect)} is no effect.`,
      mend: 'Use "read", "write" or "always".',
    });
  }
  if (execution !== undefined && execution !== "server" && execution !== "agent") {
    faults.push({
      field: "execution",
      problem: `${JSON.stringify(execution)} is no way to run a tool.`,
      mend: 'Use "server" or "agent".',
    });
  }
  return [...faults, ...schemaFaults(inputSchema, timeArgs ?? [])];
}

function schemaFaults<Input>(
  schema: StandardInputSchema<Input> | JsonObject,
  timeArgs: readonly string[],
): DiscoveryFault[] {
  const isSchema = typeof schema === "object" && schema !== null;
  const jsonSchema = isSchema ? jsonSchemaOf(schema) : {};
  if (jsonSchema.type !== "object") {
    return [
      {
        field: "inputSchema",
        problem: "It does not describe an object.",
        mend: 'Give a JSON Schema with type "object", or a schema of a library that can give one.',
      },
    ];
  }
  const properties = jsonSchema.properties ?? {};
  return timeArgs
    .filter((name) => !Object.hasOwn(properties as object, name))
    .map((name) => ({
      field: "timeArgs",
      problem: `${name} is not in the input schema, so nothing would be checked.`,
      mend: "Name a property of the input schema.",
    }));
}

function jsonSchemaOf<Input>(schema: StandardInputSchema<Input> | JsonObject): JsonObject {
  return isStandardSchema(schema)
    ? (schema["~standard"].jsonSchema.input({ target: "draft-2020-12" }) as JsonObject)
    : schema;
}

function isStandardSchema<Input>(
  schema: StandardInputSchema<Input> | JsonObject,
): schema is StandardInputSchema<Input> {
  return typeof (schema as StandardInputSchema<Input>)["~standard"]?.validate === "function";
}
