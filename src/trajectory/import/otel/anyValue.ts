import { field, isRecord, list, text } from "../jsonAccess";

/** Values nest a dozen levels; what is deeper is cut. */
const DEPTH = 64;

/** A value of OTLP's JSON as plain JSON: 64-bit integers are strings there, lists and maps are wrapped. */
export function plainValue(value: unknown, depth = 0): unknown {
  if (!isRecord(value)) return value;
  if (depth > DEPTH) return null;
  for (const name of ["stringValue", "boolValue", "doubleValue", "bytesValue"]) {
    if (Object.hasOwn(value, name)) return value[name];
  }
  const integer = field(value, "intValue");
  if (integer !== undefined) return integerOf(integer);
  const listed = field(value, "arrayValue");
  if (listed !== undefined) return list(field(listed, "values")).map((entry) => plainValue(entry, depth + 1));
  const mapped = field(value, "kvlistValue");
  if (mapped !== undefined) {
    return Object.fromEntries(
      list(field(mapped, "values")).map((entry) => [
        text(field(entry, "key")) ?? "",
        plainValue(field(entry, "value"), depth + 1),
      ]),
    );
  }
  return Object.keys(value).length === 0 ? null : value;
}

function integerOf(value: unknown): unknown {
  const integer = Number(value);
  return Number.isSafeInteger(integer) ? integer : value;
}

/** Attributes of a span: pairs of key and value, or, as some write them, an object. */
export class SpanAttributes {
  readonly #values: ReadonlyMap<string, unknown>;

  constructor(attributes: unknown) {
    this.#values = new Map(
      isRecord(attributes)
        ? Object.entries(attributes)
        : list(attributes).map((entry): [string, unknown] => [
            text(field(entry, "key")) ?? "",
            plainValue(field(entry, "value")),
          ]),
    );
  }

  /** The first of the names that is there. */
  get(...names: readonly string[]): unknown {
    for (const name of names) {
      const value = this.#values.get(name);
      if (value !== undefined && value !== null && value !== "") return value;
    }
    return undefined;
  }

  text(...names: readonly string[]): string | undefined {
    const value = this.get(...names);
    return typeof value === "string" ? value : typeof value === "number" ? `${value}` : undefined;
  }

  number(...names: readonly string[]): number | undefined {
    const value = this.get(...names);
    const count = typeof value === "string" ? Number(value) : value;
    return typeof count === "number" && Number.isFinite(count) ? count : undefined;
  }

  get names(): Iterable<string> {
    return this.#values.keys();
  }

  /**
   * A list written as flat names, `prefix.0.message.role`: its values as nested objects, in the order of their numbers.
   * Numbers within become lists.
   */
  list(prefix: string): readonly unknown[] {
    const tree: Branch = new Map();
    const start = `${prefix}.`;
    for (const [name, value] of this.#values) {
      if (!name.startsWith(start)) continue;
      const path = name.slice(start.length).split(".", DEPTH);
      if (path.length < DEPTH) grow(tree, path, value);
    }
    const grown = plainBranch(tree);
    return Array.isArray(grown) ? (grown as readonly unknown[]) : [];
  }
}

type Branch = Map<string, unknown>;

function grow(tree: Branch, path: readonly string[], value: unknown): void {
  let branch = tree;
  for (const name of path.slice(0, -1)) {
    const next = branch.get(name);
    const deeper: Branch = next instanceof Map ? (next as Branch) : new Map();
    // A name that has a value of its own too keeps what is below it: the structured form says more.
    branch.set(name, deeper);
    branch = deeper;
  }
  const last = path.at(-1) ?? "";
  if (!(branch.get(last) instanceof Map)) branch.set(last, value);
}

function plainBranch(value: unknown): unknown {
  if (!(value instanceof Map)) return value;
  const branch = value as Branch;
  const names = [...branch.keys()];
  if (names.length > 0 && names.every((name) => /^\d{1,6}$/.test(name))) {
    return names.toSorted((a, b) => Number(a) - Number(b)).map((name) => plainBranch(branch.get(name)));
  }
  return Object.fromEntries([...branch].map(([name, entry]) => [name, plainBranch(entry)]));
}
