import { canonicalJson, limits, type JsonObject, type JsonValue } from "../../base";
import type { Difference } from "./divergenceReport";

/** Where two values first differ, object keys in their order; `undefined` where they are equal. */
export function firstDifference(
  path: string,
  expected: JsonValue | undefined,
  actual: JsonValue | undefined,
): Difference | undefined {
  const found = differenceAt("", expected, actual);
  if (found === undefined) return undefined;
  const { pointer, ...sides } = found;
  const place = pointer === "" ? {} : { pointer };
  if (typeof sides.expected === "string" && typeof sides.actual === "string") {
    return { path, ...place, ...lineDifference(sides.expected, sides.actual) };
  }
  return { path, ...place, ...shownSide("expected", sides.expected), ...shownSide("actual", sides.actual) };
}

/** A value as a person reads it, cut. */
export function excerpt(value: JsonValue): string {
  const text = typeof value === "string" ? value : canonicalJson(value);
  if (text.length <= limits.divergenceExcerptCharacters) return text;
  return `${text.slice(0, limits.divergenceExcerptCharacters).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

interface Sides {
  readonly pointer: string;
  readonly expected: JsonValue | undefined;
  readonly actual: JsonValue | undefined;
}

function differenceAt(
  pointer: string,
  expected: JsonValue | undefined,
  actual: JsonValue | undefined,
): Sides | undefined {
  if (expected === actual) return undefined;
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const [left, right] = [expected as readonly JsonValue[], actual as readonly JsonValue[]];
    for (let index = 0; index < Math.max(left.length, right.length); index++) {
      const found = differenceAt(`${pointer}/${index}`, left[index], right[index]);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (isObject(expected) && isObject(actual)) {
    for (const key of [...new Set([...Object.keys(expected), ...Object.keys(actual)])].toSorted()) {
      const name = key.replaceAll("~", "~0").replaceAll("/", "~1");
      const found = differenceAt(`${pointer}/${name}`, expected[key], actual[key]);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return { pointer, expected, actual };
}

function lineDifference(expected: string, actual: string): Pick<Difference, "line" | "expected" | "actual"> {
  const [left, right] = [expected.split("\n"), actual.split("\n")];
  if (left.length === 1 && right.length === 1) return { expected: excerpt(expected), actual: excerpt(actual) };
  let index = 0;
  while (index < left.length && left[index] === right[index]) index++;
  return { line: index + 1, ...shownSide("expected", left[index]), ...shownSide("actual", right[index]) };
}

function shownSide(side: "expected" | "actual", value: JsonValue | undefined): Partial<Difference> {
  return value === undefined ? {} : { [side]: excerpt(value) };
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
