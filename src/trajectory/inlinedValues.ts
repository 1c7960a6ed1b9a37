import type { JsonObject, JsonValue } from "../base";
import type { SessionEvent } from "../session";
import type { BlobReader } from "./createReplay";

/** A text an importer has put apart because it is large, as an event holds it. */
function blobOf(value: JsonObject): string | undefined {
  const hash = Object.hasOwn(value, "$blob") ? value["$blob"] : undefined;
  return typeof hash === "string" && value["mediaType"] === "text/plain" ? hash : undefined;
}

/** The value with its large texts back in line; one whose blob is not there stays a reference. */
export async function inlinedValue(value: JsonValue, blobs: BlobReader | undefined): Promise<JsonValue> {
  if (blobs === undefined || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const inlined: JsonValue[] = [];
    for (const item of value as readonly JsonValue[]) inlined.push(await inlinedValue(item, blobs));
    return inlined.every((item, index) => item === value[index]) ? value : inlined;
  }
  const hash = blobOf(value as JsonObject);
  if (hash !== undefined) {
    const bytes = await blobs.get(hash);
    return bytes === undefined ? value : new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  }
  const entries: [string, JsonValue | undefined][] = [];
  let isChanged = false;
  for (const [name, item] of Object.entries(value as JsonObject)) {
    const inlined = item === undefined ? undefined : await inlinedValue(item, blobs);
    isChanged ||= inlined !== item;
    entries.push([name, inlined]);
  }
  return isChanged ? Object.fromEntries(entries) : value;
}

/** The event with its large texts back in line. */
export async function inlinedEvent(event: SessionEvent, blobs: BlobReader | undefined): Promise<SessionEvent> {
  const data = await inlinedValue(event.data as unknown as JsonValue, blobs);
  return data === event.data ? event : ({ ...event, data } as unknown as SessionEvent);
}
