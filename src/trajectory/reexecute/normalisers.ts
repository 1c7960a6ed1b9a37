import { canonicalJson, type JsonObject, type JsonValue } from "../../base";
import type { DeclaredNormaliser } from "./divergenceReport";
import { placedText } from "./foreign/placement";

/** Takes out of a result what does not count. Declared in every report; a result it was needed for names it. */
export interface Normaliser extends DeclaredNormaliser {
  /** Never throws; the same for both sides. */
  apply(value: JsonValue): JsonValue;
}

/** Fields whose value is a time, a duration or an id made for the occasion. */
const VOLATILE_FIELDS: ReadonlySet<string> = new Set(
  [
    "durationMs durationSeconds duration elapsedMs elapsed executionTime wallTimeSeconds timeMs tookMs latencyMs",
    "time at timestamp createdAt updatedAt modifiedAt accessedAt startedAt finishedAt endedAt mtime mtimeMs ctime atime date",
    "id uuid requestId sessionId callId traceId spanId messageId continuationToken",
  ]
    .join(" ")
    .split(" "),
);

const ISO_TIME = /\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:[.,]\d+)?(?:Z|[+-]\d{2}:?\d{2})?/g;
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const ULID = /\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g;
const DURATION = /\b\d+(?:\.\d+)?\s?(?:ms|milliseconds|s|secs?|seconds)\b/g;

/** Our own file tools answer nothing volatile, so nothing of their results is passed over. */
const EXACT_TOOLS: ReadonlySet<string> = new Set(
  "Read LS Grep Glob SemanticSearch Write StrReplace Delete readTodos updateTodos".split(" "),
);

/** Times, ids and durations, by the name of their field and by their form in a text. */
export const volatileFields: Normaliser = {
  name: "volatile fields",
  about: `Fields that hold a time, a duration or an id made for the occasion (${[...VOLATILE_FIELDS].join(", ")}).`,
  apply: (value) => mapped(value, (key) => (key !== undefined && VOLATILE_FIELDS.has(key) ? "<volatile>" : undefined)),
};

export const volatileText: Normaliser = {
  name: "volatile text",
  about: "Times in ISO-8601, UUIDs, ULIDs and durations with their unit, inside a text.",
  apply: (value) =>
    mappedTexts(value, (text) =>
      text
        .replaceAll(ISO_TIME, "<time>")
        .replaceAll(UUID, "<id>")
        .replaceAll(ULID, "<id>")
        .replaceAll(DURATION, "<duration>"),
    ),
};

export const lineEndings: Normaliser = {
  name: "line endings",
  about: "A carriage return before the end of a line.",
  apply: (value) => mappedTexts(value, (text) => text.replaceAll("\r\n", "\n")),
};

export const defaultNormalisers: readonly Normaliser[] = [volatileFields, volatileText];

/** The place of a recording's root on the tree: paths under the one are read as paths under the other. */
export function rootPath(recorded: string, here: string): Normaliser {
  return {
    name: "root path",
    about: `Paths under ${recorded} are those under ${here}.`,
    apply: (value) => mappedTexts(value, (text) => placedText({ recorded, here }, text)),
  };
}

/** Whether a normaliser is for a tool; ours answer exactly, so the volatile ones are for the others. */
export function isFor(normaliser: Normaliser, toolName: string): boolean {
  if (normaliser.tools !== undefined) return normaliser.tools.includes(toolName);
  const isVolatile = normaliser === volatileFields || normaliser === volatileText;
  return !(isVolatile && EXACT_TOOLS.has(toolName));
}

/** Both sides after the normalisers, and which of them changed anything. */
export interface Normalised {
  readonly expected: JsonValue;
  readonly actual: JsonValue;
  readonly isEqual: boolean;
  /** In the order they were applied; empty where none was needed. */
  readonly names: readonly string[];
}

/** Compares as they are, then after one normaliser more at a time until the two are equal. */
export function normalised(expected: JsonValue, actual: JsonValue, normalisers: readonly Normaliser[]): Normalised {
  let [left, right] = [expected, actual];
  const names: string[] = [];
  for (const normaliser of normalisers) {
    if (canonicalJson(left) === canonicalJson(right)) break;
    const [nextLeft, nextRight] = [normaliser.apply(left), normaliser.apply(right)];
    if (canonicalJson(nextLeft) !== canonicalJson(left) || canonicalJson(nextRight) !== canonicalJson(right))
      names.push(normaliser.name);
    [left, right] = [nextLeft, nextRight];
  }
  return { expected: left, actual: right, isEqual: canonicalJson(left) === canonicalJson(right), names };
}

function mappedTexts(value: JsonValue, change: (text: string) => string): JsonValue {
  return mapped(value, (_key, inner) => (typeof inner === "string" ? change(inner) : undefined));
}

/** Rebuilds a value; what `replace` answers stands in for what it was asked about. */
function mapped(
  value: JsonValue,
  replace: (key: string | undefined, value: JsonValue) => JsonValue | undefined,
  key?: string,
): JsonValue {
  const replaced = replace(key, value);
  if (replaced !== undefined) return replaced;
  if (Array.isArray(value)) return value.map((item: JsonValue) => mapped(item, replace));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as JsonObject).flatMap(([name, inner]) =>
      inner === undefined ? [] : [[name, mapped(inner, replace, name)]],
    ),
  );
}
