import type { DiscoveryFault } from "../base";
import type { AgentDefinition } from "./agentDefinition";
import { capabilityFaults } from "./capabilityFaults";
import { coherenceFaults } from "./coherenceFaults";
import { fieldFaults } from "./fieldFaults";
import type { PartialFileSystem } from "./runtime";

export interface DiscoverOptions {
  /** Names of the author's own tools. */
  readonly authoredToolNames?: readonly string[];
  /** Skills the author wrote. */
  readonly hasSkills?: boolean;
}

export interface Discovery {
  /** Frozen; there exactly when there are no faults. */
  readonly definition?: AgentDefinition;
  readonly faults: readonly DiscoveryFault[];
  /** What will be ignored or looks like a mistake; nothing is refused for it. */
  readonly warnings: readonly DiscoveryFault[];
}

/** Fields of a definition, in the order their faults are told. */
const FIELDS = [
  "name",
  "description",
  "instructions",
  "model",
  "tools",
  "maxSteps",
  "root",
  "runtime",
  "local",
  "cloud",
  "approvals",
] as const;

/** Checks a definition whole: every fault and warning at once. Never throws. */
export function discover(input: unknown, options: DiscoverOptions = {}): Discovery {
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    const fault = { field: "agent", problem: "It is not an object.", mend: "Give name and instructions at least." };
    return { faults: [fault], warnings: [] };
  }
  const given = input as Readonly<Record<string, unknown>>;
  const shapeFaults = fieldFaults(given);
  const faulty = new Set(shapeFaults.map(({ field }) => field));
  // Rules across fields look only at fields that are sound in themselves.
  const sound = Object.fromEntries(
    FIELDS.filter((field) => given[field] !== undefined && !faulty.has(field)).map((field) => [field, given[field]]),
  ) as unknown as AgentDefinition;
  const faults = [
    ...shapeFaults,
    ...coherenceFaults(sound),
    ...capabilityFaults(sound, staticTree(sound), options.authoredToolNames ?? []),
  ];
  const warnings = warningsOf(given, sound, options);
  if (faults.length > 0) return { faults, warnings };
  return { definition: frozenDefinition(sound), faults, warnings };
}

/** The tree where it is there already; a factory's is checked when it is bound. */
function staticTree({ root, runtime }: AgentDefinition): PartialFileSystem | undefined {
  if (typeof root === "object") return root;
  if (typeof runtime !== "object" || runtime.kind !== "local" || runtime.workspace !== "virtual") return undefined;
  return typeof runtime.tree === "function" ? undefined : (runtime.tree ?? {});
}

/** A copy that the author's later changes cannot reach; trees are handles and stay themselves. */
function frozenDefinition(definition: AgentDefinition): AgentDefinition {
  const { root, runtime, ...plain } = definition;
  const copy = frozenCopy(plain);
  return Object.freeze({
    ...copy,
    ...(root === undefined ? {} : { root }),
    ...(runtime === undefined ? {} : { runtime }),
  });
}

function frozenCopy<Value>(value: Value): Value {
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as Value;
  if (typeof value !== "object" || value === null) return value;
  const copies = Object.entries(value).map(([key, inner]: [string, unknown]) => [key, frozenCopy(inner)]);
  return Object.freeze(Object.fromEntries(copies)) as Value;
}

function warningsOf(
  given: Readonly<Record<string, unknown>>,
  { instructions, runtime, cloud, local }: AgentDefinition,
  { authoredToolNames = [], hasSkills = false }: DiscoverOptions,
): DiscoveryFault[] {
  const warnings: DiscoveryFault[] = Object.keys(given)
    .filter((field) => !(FIELDS as readonly string[]).includes(field))
    .map((field) => ({
      field,
      problem: "There is no such field; it is ignored.",
      mend: `The fields are ${FIELDS.join(", ")}.`,
    }));
  const warn = (field: string, problem: string, mend: string) => warnings.push({ field, problem, mend });
  if (instructions !== undefined && instructions.trim() === "") {
    warn("instructions", "They are empty.", "Say what the agent is for and how it should work.");
  }
  const kind = typeof runtime === "object" ? runtime.kind : (runtime ?? "local");
  if (kind === "cloud") {
    if (runtime === "cloud" && cloud === undefined)
      warn("cloud", "It is missing.", "Name the repositories to work on.");
    if (hasSkills) warn("skills", "A cloud agent's files are not yours.", "Keep the skills in the agent's repository.");
    if (authoredToolNames.length > 0) warn("tools/", "They are only told to a cloud agent.", "Offer them over MCP.");
  }
  if (kind === "grokbot" && hasSkills)
    warn("skills", "They are not on that loop's disk.", "Put them into the instructions.");
  if (kind === "grokbot" && local !== undefined) warn("local", "That loop ignores it.", "Take it out.");
  return warnings;
}
