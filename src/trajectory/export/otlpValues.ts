import type { JsonObject, JsonValue } from "../../base";
import type { ExportedTime } from "./exportedSession";

/** One attribute as OTLP's JSON writes it. */
export function attribute(key: string, value: string | number | readonly string[]): JsonObject {
  return { key, value: anyValue(value) };
}

/** 64-bit integers are strings in OTLP's JSON. */
function anyValue(value: string | number | readonly string[]): JsonValue {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "number") return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { arrayValue: { values: value.map((each) => ({ stringValue: each })) } };
}

/** Milliseconds since 1970; 0 where it is no time. */
export function milliseconds({ at }: ExportedTime): number {
  const time = Date.parse(at);
  return Number.isNaN(time) ? 0 : time;
}

/** A 64-bit integer, as text. */
export function nanoseconds(ms: number): string {
  return (BigInt(Math.round(ms)) * 1_000_000n).toString();
}
