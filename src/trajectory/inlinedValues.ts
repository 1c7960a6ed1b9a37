import type { JsonObject, JsonValue } from "../base";
import type { SessionEvent } from "../session";
import { base64FromBytes, bytesFromBase64 } from "./base64";
import type { BlobReader } from "./createReplay";

/** A text an importer has put apart because it is large, as an event holds it. */
function textBlob(value: JsonObject): string | undefined {
  const hash = Object.hasOwn(value, "$blob") ? value["$blob"] : undefined;
  return typeof hash === "string" && value["mediaType"] === "text/plain" ? hash : undefined;
}

/** An image of a message or a result, whose bytes lie apart. */
function imageBlob(value: JsonObject): string | undefined {
  const { type, blob } = value;
  return type === "image" && typeof blob === "string" ? blob : undefined;
}

/** The hashes of texts, images and files' texts an event names beside requests and contents of trees. */
export function valueBlobs(event: SessionEvent, into: Set<string>): void {
  if (event.type === "action.result") for (const { blob } of event.data.evidence ?? []) into.add(blob);
  visit(event.data as unknown as JsonValue, into);
}

function visit(value: JsonValue | undefined, into: Set<string>): void {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) for (const item of value as readonly JsonValue[]) visit(item, into);
  else {
    const hash = textBlob(value as JsonObject) ?? imageBlob(value as JsonObject);
    if (hash !== undefined) into.add(hash);
    for (const item of Object.values(value as JsonObject)) visit(item, into);
  }
}

/** The value with its large texts back in line; one whose blob is not there stays a reference. */
export async function inlinedValue(value: JsonValue, blobs: BlobReader | undefined): Promise<JsonValue> {
  return blobs === undefined ? value : await inlined(value, blobs, false);
}

/** The event with its large texts back in line. */
export async function inlinedEvent(event: SessionEvent, blobs: BlobReader | undefined): Promise<SessionEvent> {
  return blobs === undefined ? event : await eventWith(event, blobs, false);
}

/** The event with its large texts and its images in line: all that a log alone can hold of it. */
export async function wholeEvent(event: SessionEvent, blobs: BlobReader): Promise<SessionEvent> {
  return await eventWith(event, blobs, true);
}

async function eventWith(event: SessionEvent, blobs: BlobReader, withImages: boolean): Promise<SessionEvent> {
  const data = await inlined(event.data as unknown as JsonValue, blobs, withImages);
  return data === event.data ? event : ({ ...event, data } as unknown as SessionEvent);
}

async function inlined(value: JsonValue, blobs: BlobReader, withImages: boolean): Promise<JsonValue> {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items: JsonValue[] = [];
    for (const item of value as readonly JsonValue[]) items.push(await inlined(item, blobs, withImages));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  const text = textBlob(value as JsonObject);
  if (text !== undefined) {
    const bytes = await blobs.get(text);
    return bytes === undefined ? value : new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  }
  const image = withImages ? imageBlob(value as JsonObject) : undefined;
  const bytes = image === undefined ? undefined : await blobs.get(image);
  if (bytes !== undefined) return { ...(value as JsonObject), base64: base64FromBytes(bytes) };
  return await inlinedFields(value as JsonObject, blobs, withImages);
}

async function inlinedFields(value: JsonObject, blobs: BlobReader, withImages: boolean): Promise<JsonObject> {
  const entries: [string, JsonValue | undefined][] = [];
  let isChanged = false;
  for (const [name, item] of Object.entries(value)) {
    const next = item === undefined ? undefined : await inlined(item, blobs, withImages);
    isChanged ||= next !== item;
    entries.push([name, next]);
  }
  return isChanged ? Object.fromEntries(entries) : value;
}

/** The event with the bytes of its images put apart again. `put` answers their hash. */
export function withImagesApart(event: SessionEvent, put: (bytes: Uint8Array) => string): SessionEvent {
  const data = apart(event.data as unknown as JsonValue, put);
  return data === event.data ? event : ({ ...event, data } as unknown as SessionEvent);
}

function apart(value: JsonValue, put: (bytes: Uint8Array) => string): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = (value as readonly JsonValue[]).map((item) => apart(item, put));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  const { base64, ...rest } = value as JsonObject;
  if (typeof base64 === "string" && imageBlob(rest) !== undefined) {
    const bytes = bytesFromBase64(base64);
    return bytes === undefined ? value : { ...rest, blob: put(bytes) };
  }
  const entries = Object.entries(value as JsonObject).map(([name, item]): [string, JsonValue | undefined] => [
    name,
    item === undefined ? undefined : apart(item, put),
  ]);
  const isSame = entries.every(([name, item]) => item === (value as JsonObject)[name]);
  return isSame ? value : Object.fromEntries(entries);
}
