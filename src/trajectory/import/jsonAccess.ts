import type { JsonObject, JsonValue } from "../../base";
import { parsedText } from "./parsedText";

/** An object of parsed JSON, or of anything else that came from outside. */
export type UnknownRecord = Readonly<Record<string, unknown>>;

const NOTHING: UnknownRecord = Object.freeze(Object.create(null) as UnknownRecord);

/** Whether a value is an object that is no list. */
export function isRecord(value: unknown): value is UnknownRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value as an object; what is none is an empty one. Read its fields by `field`: a prototype's are not the file's. */
export function record(value: unknown): UnknownRecord {
  return isRecord(value) ? value : NOTHING;
}

/** A field of an object, own ones only; `undefined` for what is no object and for what is not there. */
export function field(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** A field of a field of …, as `field` finds them. */
export function fieldAt(value: unknown, ...names: readonly string[]): unknown {
  let found = value;
  for (const name of names) found = field(found, name);
  return found;
}

/** The value when it is a string. */
export function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The value when it is a string with anything in it. */
export function filledText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The value when it is a list; what is none is an empty one. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** The value when it is a number that is one; a string of digits, as 64-bit numbers are written, is one too. */
export function number(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value === "string" && /^-?\d{1,17}(\.\d+)?$/.test(value)) return Number(value);
  return undefined;
}

const YEAR_2001_MS = 978_307_200_000;

/**
 * An instant as a recording may write it: ISO-8601 (`naive` when it names no zone; it is then taken for UTC), or a number
 * of seconds, milliseconds, microseconds or nanoseconds since 1970, told apart by their size. `undefined` for all else.
 */
export function instant(value: unknown): { readonly at: Date; readonly naive: boolean } | undefined {
  if (value instanceof Date) return valid(value.getTime(), false);
  const digits = number(value);
  if (digits !== undefined) {
    if (digits <= 0) return undefined;
    let milliseconds = digits;
    if (digits < YEAR_2001_MS / 10) milliseconds = digits * 1_000;
    else while (milliseconds > YEAR_2001_MS * 10) milliseconds /= 1_000;
    return valid(milliseconds, false);
  }
  if (typeof value !== "string") return undefined;
  const match = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?))? ?(Z|[+-]\d{2}:?\d{2})?$/i.exec(
    value.trim(),
  );
  if (match === null) return undefined;
  const [, day = "", time = "00:00", zone] = match;
  const [whole = "", fraction = ""] = time.split(/[.,]/);
  const milliseconds = fraction === "" ? "" : `.${fraction.slice(0, 3).padEnd(3, "0")}`;
  const zoneText = zone === undefined || /^z$/i.test(zone) ? "Z" : zone.replace(/^([+-]\d{2})(\d{2})$/, "$1:$2");
  return valid(Date.parse(`${day}T${whole}${milliseconds}${zoneText}`), zone === undefined);
}

function valid(milliseconds: number, naive: boolean): { readonly at: Date; readonly naive: boolean } | undefined {
  // Years past 9999 have another form, and those before 1970 no place in an id.
  return milliseconds >= 0 && milliseconds < 253_402_300_800_000 ? { at: new Date(milliseconds), naive } : undefined;
}

/** Text that is JSON, parsed; `undefined` for what is none. */
export function parsedJson(value: unknown): unknown {
  if (typeof value !== "string") return undefined;
  try {
    return parsedText(value);
  } catch {
    return undefined;
  }
}

/** A value as JSON; of one too deep to be written, a word that says so. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "null";
  } catch {
    return '"[nested too deeply]"';
  }
}

/** A value of parsed JSON as it may stand in an event; `undefined` becomes null. */
export function jsonValue(value: unknown): JsonValue {
  return value === undefined ? null : (value as JsonValue);
}

/** The value when it is an object, for an event. */
export function jsonObject(value: unknown): JsonObject | undefined {
  return isRecord(value) ? (value as JsonObject) : undefined;
}
