import type { DiscoveryFault } from "../../base";

/** Fields the form has a place for. */
export const FORM_FIELDS = [
  "name",
  "description",
  "maxSteps",
  "runtime",
  "tools",
  "approvals",
  "instructions",
] as const;

export type FormField = (typeof FORM_FIELDS)[number];

/** Faults by the field they are shown at; one of several fields at once stands where the choice is easier to change. */
export function faultsByField(faults: readonly DiscoveryFault[]): {
  readonly at: (field: FormField) => readonly DiscoveryFault[];
  readonly others: readonly DiscoveryFault[];
} {
  const placed = faults.map((fault) => ({ fault, field: fieldOf(fault) }));
  return {
    at: (field) => placed.filter((each) => each.field === field).map(({ fault }) => fault),
    others: placed.filter((each) => each.field === undefined).map(({ fault }) => fault),
  };
}

function fieldOf({ field }: DiscoveryFault): FormField | undefined {
  const named = field.split(" + ").map((name) => name.split(".")[0] ?? name);
  if (named.includes("tools") && !named.includes("runtime")) return "tools";
  if (named.includes("root") && named.length > 1) return "runtime";
  return FORM_FIELDS.find((known) => named.includes(known));
}

/** A value as a line of text shows it: text as it is, all else as JSON. */
export function textOfValue(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
