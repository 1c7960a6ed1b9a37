import { canonicalJson, limits, sha256HexSync, type JsonObject, type JsonValue } from "../base";
import type { SessionEvent } from "../session";

/** The key of an object that stands for a value stored on its own. Stored logs hold it: it must never change. */
const REFERENCE_KEY = "rootscope/value";
const REFERENCE_TEXT = `"${REFERENCE_KEY}"`;

/** `text` is a string as it is, `json` any value as JSON. */
interface Reference {
  readonly [REFERENCE_KEY]: string;
  readonly form: "text" | "json";
}

/** One event as it is stored. */
export interface StoredEvent {
  /** A line of JSON. */
  readonly line: string;
  /** The values it names, to be stored with it. */
  readonly values: readonly { readonly hash: string; readonly bytes: Uint8Array }[];
}

/**
 * The event as one line, values of `limits.largeValueBytes` and more replaced by a reference to their SHA-256. The innermost
 * value that is large is the one that goes, so that what is around it stays readable.
 */
export function storedEvent(event: SessionEvent): StoredEvent {
  const line = JSON.stringify(event);
  // Bytes are at most three a unit: most events are done here.
  if (line.length * 3 < limits.largeValueBytes && !line.includes(REFERENCE_TEXT)) return { line, values: [] };
  const values: { hash: string; bytes: Uint8Array }[] = [];
  const data = Object.fromEntries(
    Object.entries(event.data as unknown as JsonObject).map(([key, value]) => [key, withoutLarge(value, values)]),
  );
  return { line: JSON.stringify({ ...event, data }), values };
}

function withoutLarge(value: JsonValue | undefined, values: { hash: string; bytes: Uint8Array }[]): unknown {
  const refer = (text: string, form: Reference["form"]): Reference => {
    const bytes = new TextEncoder().encode(text);
    const hash = sha256HexSync(bytes);
    values.push({ hash, bytes });
    return { [REFERENCE_KEY]: hash, form };
  };
  if (typeof value === "string") {
    if (!isLarge(value)) return value;
    // A lone surrogate has no UTF-8; JSON escapes it.
    return value.isWellFormed() ? refer(value, "text") : refer(JSON.stringify(value), "json");
  }
  if (value === null || typeof value !== "object") return value;
  // Something that looks like a reference and is none is stored as a value itself, so that reading never mistakes it.
  if (REFERENCE_KEY in value) return refer(canonicalJson(value), "json");
  const smaller = Array.isArray(value)
    ? value.map((item: JsonValue) => withoutLarge(item, values))
    : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutLarge(item, values)]));
  const text = JSON.stringify(smaller);
  if (!isLarge(text)) return smaller;
  return refer(JSON.stringify(value), "json");
}

function isLarge(text: string): boolean {
  if (text.length >= limits.largeValueBytes) return true;
  return text.length * 3 >= limits.largeValueBytes && new TextEncoder().encode(text).length >= limits.largeValueBytes;
}

/** The event of a stored line, its large values put back. A value that is lost stays a reference. */
export async function eventFromStored(
  line: string,
  textOf: (hash: string) => Promise<string | undefined>,
): Promise<SessionEvent> {
  const event = JSON.parse(line) as SessionEvent;
  if (!line.includes(REFERENCE_TEXT)) return event;
  const whole: unknown = await withLarge(event as unknown as JsonObject, textOf);
  return whole as SessionEvent;
}

/** Characters of a stored line, each large value it names taken for the least such a value has. */
export function storedCharacters(line: string): number {
  if (!line.includes(REFERENCE_TEXT)) return line.length;
  return line.length + (line.split(REFERENCE_TEXT).length - 1) * limits.largeValueBytes;
}

/** The event of a stored line without its large values: an empty text, or `null`, stands in the place of each. */
export function eventWithoutLarge(line: string): SessionEvent {
  const event = JSON.parse(line) as SessionEvent;
  if (!line.includes(REFERENCE_TEXT)) return event;
  return withoutReferences(event as unknown as JsonObject) as unknown as SessionEvent;
}

function withoutReferences(value: JsonValue | undefined): JsonValue {
  if (value === undefined || value === null || typeof value !== "object") return value ?? null;
  if (isReference(value)) return value.form === "text" ? "" : null;
  if (Array.isArray(value)) return value.map((item: JsonValue) => withoutReferences(item));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutReferences(item)]));
}

async function withLarge(
  value: JsonValue | undefined,
  textOf: (hash: string) => Promise<string | undefined>,
): Promise<unknown> {
  if (value === null || typeof value !== "object") return value;
  if (isReference(value)) {
    const text = await textOf(value[REFERENCE_KEY]);
    if (text === undefined) return value;
    return value.form === "text" ? text : (JSON.parse(text) as unknown);
  }
  if (Array.isArray(value)) return Promise.all(value.map((item: JsonValue) => withLarge(item, textOf)));
  const entries = Object.entries(value).map(async ([key, item]) => [key, await withLarge(item, textOf)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

function isReference(value: object): value is Reference {
  return REFERENCE_KEY in value;
}
