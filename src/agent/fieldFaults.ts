import { allowlistNames, type DiscoveryFault } from "../base";

type Check = (value: unknown) => readonly Omit<DiscoveryFault, "field">[];

const CHECKS: Readonly<Record<string, Check>> = {
  name: (value) => (isFilledText(value) ? [] : [fault(value, "no name", "Give a short name, e.g. reviewer.")]),
  description: (value) =>
    value === undefined || typeof value === "string"
      ? []
      : [fault(value, "no text", "Say in a sentence what the agent is for.")],
  instructions: (value) =>
    typeof value === "string" ? [] : [fault(value, "no text", "Say what the agent is for and how it should work.")],
  model: (value) => settingsFaults(value, "Give the model's settings as an object."),
  tools: toolsFaults,
  maxSteps: (value) =>
    value === undefined || (Number.isInteger(value) && (value as number) > 0)
      ? []
      : [fault(value, "no number of steps", "Give a whole number of 1 or more.")],
  root: (value) =>
    value === undefined || typeof value === "function" || isOptionalObject(value)
      ? []
      : [fault(value, "no tree", "Give a FileSystem, or a function that returns one.")],
  runtime: (value) =>
    value === undefined || isRuntime(value)
      ? []
      : [
          fault(
            value,
            "no runtime",
            "Use localRuntime(), sandboxRuntime(), virtualRuntime(fs), cloudRuntime({ repos }) or grokbotRuntime().",
          ),
        ],
  local: (value) => settingsFaults(value, "Give cwd, workspaceDir or sandbox in an object."),
  cloud: (value) => settingsFaults(value, "Give repos in an object."),
  approvals: (value) =>
    value === undefined || value === "never" || value === "writes"
      ? []
      : [fault(value, "no approval mode", 'Use "never" or "writes".')],
};

/** What is wrong with each field by itself. */
export function fieldFaults(given: Readonly<Record<string, unknown>>): DiscoveryFault[] {
  return Object.entries(CHECKS).flatMap(([field, check]) => check(given[field]).map((found) => ({ field, ...found })));
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
