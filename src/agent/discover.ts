import { allowlistNames, type DiscoveryFault } from "../base";
import type { AgentDefinition } from "./agentDefinition";
import type { AgentParts } from "./agentParts";
import { capabilityFaults } from "./capabilityFaults";
import { coherenceFaults } from "./coherenceFaults";
import { definitionWarnings } from "./definitionWarnings";
import { definitionFields, fieldFaults, hostOptions, localOptionNames, type DefinitionFieldName } from "./fieldFaults";
import { partsFaults } from "./partsFaults";
import { isVirtual, type PartialFileSystem } from "./runtime";

export interface Discovery {
  /** Frozen; there exactly when there are no faults. */
  readonly definition?: AgentDefinition;
  readonly faults: readonly DiscoveryFault[];
  /** What will be ignored or looks like a mistake; nothing is refused for it. */
  readonly warnings: readonly DiscoveryFault[];
}

const FIELDS = Object.keys(definitionFields) as readonly DefinitionFieldName[];

/** Checks a definition whole, and what lies beside it: every fault and warning at once. Never throws. */
export function discover(input: unknown, parts: AgentParts = {}): Discovery {
  const { definition, faults, warnings } = discovered(input, parts);
  return faults.length > 0 ? { faults, warnings } : { definition: frozenDefinition(definition), faults, warnings };
}

/** The same with the fields that are sound in themselves, whether or not there are faults. */
export function discovered(input: unknown, parts: AgentParts): Discovery & { readonly definition: AgentDefinition } {
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    const fault = { field: "agent", problem: "It is not an object.", mend: "Give name and instructions at least." };
    return { definition: {} as AgentDefinition, faults: [fault], warnings: [] };
  }
  const given = input as Readonly<Record<string, unknown>>;
  const shapeFaults = fieldFaults(given);
  const faulty = new Set(shapeFaults.map(({ field }) => field.split(".")[0]));
  // Rules across fields look only at fields that are sound in themselves, and at the legal names of a list.
  const { tools } = given;
  const legal = Array.isArray(tools) ? { tools: allowlistNames.filter((name) => tools.includes(name)) } : {};
  const sound = {
    ...Object.fromEntries(
      FIELDS.filter((field) => given[field] !== undefined && !faulty.has(field)).map((field) => [field, given[field]]),
    ),
    ...(faulty.has("tools") ? legal : {}),
  } as unknown as AgentDefinition;
  return {
    definition: sound,
    faults: [
      ...shapeFaults,
      ...coherenceFaults(sound),
      ...partsFaults(sound, parts),
      ...capabilityFaults(sound, staticTree(sound)),
    ],
    warnings: [...unknownFields(given), ...unknownOptions(given), ...definitionWarnings(sound, parts)],
  };
}

/** The tree where it is there already; a factory's is checked when it is bound. */
export function staticTree({ root, runtime }: AgentDefinition): PartialFileSystem | undefined {
  if (typeof root === "object") return root;
  if (!isVirtual(runtime)) return undefined;
  return typeof runtime.tree === "function" ? undefined : (runtime.tree ?? {});
}

function unknownFields(given: Readonly<Record<string, unknown>>): DiscoveryFault[] {
  return Object.keys(given)
    .filter((field) => !(FIELDS as readonly string[]).includes(field))
    .map((field) => ({
      field,
      problem: "There is no such field; it is ignored.",
      mend: `The fields are ${FIELDS.join(", ")}.`,
    }));
}

function unknownOptions({ local, runtime }: Readonly<Record<string, unknown>>): DiscoveryFault[] {
  return Object.entries({ local, runtime: hostOptions(runtime) }).flatMap(([field, options]) =>
    Object.keys(typeof options === "object" && options !== null && !Array.isArray(options) ? options : {})
      .filter((option) => !(localOptionNames as readonly string[]).includes(option))
      .map((option) => ({
        field: `${field}.${option}`,
        problem: "There is no such option; it is ignored.",
        mend: `The options are ${localOptionNames.join(", ")}.`,
      })),
  );
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
