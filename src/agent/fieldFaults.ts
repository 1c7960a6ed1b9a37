import { allowlistNames, type DiscoveryFault, type JsonObject } from "../base";

/** `option` is the part of the field that is at fault, where it is not the whole. */
type FoundFault = Omit<DiscoveryFault, "field"> & { readonly option?: string };
type Check = (value: unknown) => readonly FoundFault[];

interface DefinitionField {
  /** What it says, for whoever writes it. */
  readonly words: string;
  readonly isRequired?: true;
  /** What of it JSON can say, as JSON Schema; absent where JSON cannot. */
  readonly schema?: JsonObject;
  readonly check: Check;
}

/** Fields of a definition, in the order their faults are told: what JSON says of each and what is checked, side by side. */
export const definitionFields = {
  name: {
    words: "What the agent is called; told to the model.",
    isRequired: true,
    schema: { type: "string", pattern: "\\S" },
    check: (value) => (isFilledText(value) ? [] : [fault(value, "no name", "Give a short name, e.g. reviewer.")]),
  },
  description: {
    words: "What the agent is for, in a sentence; told to the model after its name.",
    schema: { type: "string" },
    check: (value) =>
      value === undefined || typeof value === "string"
        ? []
        : [fault(value, "no text", "Say in a sentence what the agent is for.")],
  },
  instructions: {
    words: "What the agent is for and how it should work: the first part of its prompt.",
    isRequired: true,
    schema: { type: "string" },
    check: (value) =>
      typeof value === "string" ? [] : [fault(value, "no text", "Say what the agent is for and how it should work.")],
  },
  model: {
    words: "Settings of the model.",
    schema: { type: "object" },
    check: (value) => settingsFaults(value, "Give the model's settings as an object."),
  },
  tools: {
    words: "The tools it may have; the list only narrows. Left out: every tool there is where it runs.",
    schema: { type: "array", items: { enum: [...allowlistNames] } },
    check: toolsFaults,
  },
  maxSteps: {
    words: "Model calls a turn may take.",
    schema: { type: "integer", minimum: 1 },
    check: (value) =>
      value === undefined || (Number.isInteger(value) && (value as number) > 0)
        ? []
        : [fault(value, "no number of steps", "Give a whole number of 1 or more.")],
  },
  root: {
    words: "The tree the agent works on.",
    check: (value) =>
      value === undefined || typeof value === "function" || isOptionalObject(value)
        ? []
        : [fault(value, "no tree", "Give a FileSystem, or a function that returns one.")],
  },
  runtime: {
    words: "Where the agent runs and what its tools stand on.",
    schema: {
      anyOf: [
        { enum: ["local", "cloud", "grokbot"] },
        runtimeSchema({ kind: { const: "local" }, workspace: { const: "virtual" }, tree: { type: "object" } }, "tree"),
        runtimeSchema({ kind: { const: "local" }, workspace: { const: "host" }, options: { type: "object" } }),
        runtimeSchema({ kind: { const: "cloud" }, options: { type: "object" } }),
        runtimeSchema({ kind: { const: "grokbot" } }),
      ],
    },
    check: (value) =>
      value === undefined || isRuntime(value)
        ? localOptionFaults(hostOptions(value))
        : [
            fault(
              value,
              "no runtime",
              "Use localRuntime(), sandboxRuntime(), virtualRuntime(fs), cloudRuntime({ repos }) or grokbotRuntime().",
            ),
          ],
  },
  local: {
    words: "The older form of localRuntime's options.",
    schema: { type: "object" },
    check: (value) => [
      ...settingsFaults(value, "Give cwd, workspaceDir or sandbox in an object."),
      ...localOptionFaults(value),
    ],
  },
  cloud: {
    words: "The older form of cloudRuntime's options.",
    schema: { type: "object" },
    check: (value) => settingsFaults(value, "Give repos in an object."),
  },
  approvals: {
    words: "When a person is asked before a tool runs: where the tool itself asks, or before every write.",
    schema: { enum: ["never", "writes"] },
    check: (value) =>
      value === undefined || value === "never" || value === "writes"
        ? []
        : [fault(value, "no approval mode", 'Use "never" or "writes".')],
  },
} as const satisfies Readonly<Record<string, DefinitionField>>;

export type DefinitionFieldName = keyof typeof definitionFields;

/** Those that JSON can say, as the schema of a definition in JSON. */
export function definitionSchema(): { readonly properties: Readonly<Record<string, JsonObject>> } & JsonObject {
  const fields = Object.entries<DefinitionField>(definitionFields);
  return {
    type: "object",
    properties: Object.fromEntries(
      fields.flatMap(([name, { words, schema }]) => (schema ? [[name, { description: words, ...schema }]] : [])),
    ),
    required: fields.filter(([, { isRequired }]) => isRequired).map(([name]) => name),
  };
}

function runtimeSchema(properties: Readonly<Record<string, JsonObject>>, ...optional: readonly string[]): JsonObject {
  return {
    type: "object",
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
  };
}

/** What is wrong with each field by itself. */
export function fieldFaults(given: Readonly<Record<string, unknown>>): DiscoveryFault[] {
  return Object.entries<DefinitionField>(definitionFields).flatMap(([field, { check }]) =>
    check(given[field]).map(({ option, ...found }) => ({
      field: option === undefined ? field : `${field}.${option}`,
      ...found,
    })),
  );
}

/** Options of the loop on the host's disk. */
export const localOptionNames = ["cwd", "workspaceDir", "sandbox"] as const;

/** What is wrong with the options of the loop on the host's disk, each by itself. */
export function localOptionFaults(options: unknown): (Omit<DiscoveryFault, "field"> & { readonly option: string })[] {
  if (typeof options !== "object" || options === null) return [];
  const { cwd, workspaceDir, sandbox } = options as Readonly<Record<string, unknown>>;
  const directories = Object.entries({ cwd, workspaceDir })
    .filter(([, value]) => value !== undefined && !isFilledText(value))
    .map(([option, value]) => ({ option, ...fault(value, "no directory", "Give the path of a directory.") }));
  if (typeof sandbox === "boolean" || isOptionalObject(sandbox)) return directories;
  const mend = "Use true, false or an object of settings.";
  return [...directories, { option: "sandbox", ...fault(sandbox, "no sandbox setting", mend) }];
}

/** The options of a runtime on the host's disk; `undefined` for any other. */
export function hostOptions(runtime: unknown): object | undefined {
  if (typeof runtime !== "object" || runtime === null) return undefined;
  const { kind, workspace, options } = runtime as Readonly<Record<string, unknown>>;
  const isHost = kind === "local" && workspace === "host" && typeof options === "object" && options !== null;
  return isHost ? options : undefined;
}

/** Settings are kept in logs, as JSON. */
function settingsFaults(value: unknown, mend: string): Omit<DiscoveryFault, "field">[] {
  if (!isOptionalObject(value)) return [fault(value, "no object", mend)];
  return isJson(value) ? [] : [{ problem: "It holds what cannot be written as JSON.", mend }];
}

function isJson(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    // A value inside itself, or a bigint.
    return false;
  }
}

/** Every name that is none, each with the list of those that are. */
function toolsFaults(value: unknown): Omit<DiscoveryFault, "field">[] {
  const mend = `Legal names: ${allowlistNames.join(", ")}.`;
  if (value === undefined) return [];
  if (!Array.isArray(value)) return [fault(value, "no list of tool names", mend)];
  const unknown = value.filter((name: unknown) => !(allowlistNames as readonly unknown[]).includes(name));
  return unknown.map((name: unknown) => fault(name, "no name of the allowlist", mend));
}

function fault(value: unknown, what: string, mend: string): Omit<DiscoveryFault, "field"> {
  return { problem: value === undefined ? "It is missing." : `${shown(value)} is ${what}.`, mend };
}

export function shown(value: unknown): string {
  if (typeof value === "function") return "A function";
  if (typeof value === "bigint" || typeof value === "symbol") return String(value);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return "An object";
  return isJson(value) ? JSON.stringify(value) : "A list";
}

function isFilledText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}

function isOptionalObject(value: unknown): boolean {
  return value === undefined || (typeof value === "object" && value !== null && !Array.isArray(value));
}

/** One of the three older names, or what a constructor makes. */
export function isRuntime(value: unknown): boolean {
  if (value === "local" || value === "cloud" || value === "grokbot") return true;
  if (typeof value !== "object" || value === null) return false;
  const { kind, workspace, options, tree } = value as Readonly<Record<string, unknown>>;
  if (kind === "grokbot") return true;
  if (kind === "local" && workspace === "virtual") return typeof tree === "function" || isOptionalObject(tree);
  const isHost = kind === "local" && workspace === "host";
  return (isHost || kind === "cloud") && options !== undefined && isOptionalObject(options) && isJson(options);
}
