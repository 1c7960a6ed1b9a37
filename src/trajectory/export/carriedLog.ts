import { canonicalJson, sha256HexSync, type JsonObject, type JsonValue } from "../../base";
import type { SessionEvent } from "../../session";
import type { BlobReader } from "../createReplay";
import type { SessionToExport } from "./exportedSession";

/** The number of the shape in which files of other formats carry our logs. */
const CARRIED_SCHEMA = 1;

/** The key under which they do. */
export const CARRIED_KEY = "rootscope";

/** Our logs as they are, in a file that tells of them in its own words too. */
export interface CarriedLog {
  readonly sessions: readonly SessionToExport[];
  /** Large texts, images and files' texts that the events name, by hash. */
  readonly blobs: ReadonlyMap<string, Uint8Array>;
}

/**
 * The logs as JSON to be put beside what a format of others can hold, with the hash of that: whoever edits the file has
 * edited what it says, and the log then counts no more.
 */
export async function carriedJson(
  sessions: readonly SessionToExport[],
  blobs: BlobReader | undefined,
  beside: JsonValue,
): Promise<JsonObject> {
  const named = new Set<string>();
  for (const { events } of sessions) for (const event of events) namedBlobs(event, named);
  const kept: [string, string][] = [];
  for (const hash of [...named].toSorted()) {
    const bytes = await blobs?.get(hash);
    if (bytes !== undefined) kept.push([hash, base64(bytes)]);
  }
  return {
    schema: CARRIED_SCHEMA,
    beside: sha256HexSync(canonicalJson(beside)),
    sessions: sessions as unknown as JsonValue,
    blobs: Object.fromEntries(kept),
  };
}

/**
 * The logs a file carries; `undefined` where it carries none, one of a later version, or has been edited beside them.
 * Never throws.
 */
export function carriedLog(value: unknown, beside: JsonValue): CarriedLog | undefined {
  if (!isObject(value) || value["schema"] !== CARRIED_SCHEMA) return undefined;
  if (value["beside"] !== sha256HexSync(canonicalJson(beside))) return undefined;
  const { sessions, blobs } = value;
  if (!Array.isArray(sessions) || !sessions.every(isSession) || !isObject(blobs)) return undefined;
  const kept = new Map<string, Uint8Array>();
  for (const [hash, text] of Object.entries(blobs)) {
    const bytes = typeof text === "string" ? bytesFrom(text) : undefined;
    if (bytes !== undefined && sha256HexSync(bytes) === hash) kept.set(hash, bytes);
  }
  return { sessions: sessions as unknown as readonly SessionToExport[], blobs: kept };
}

/** Values an event names beside requests and contents of trees, which a session file holds. */
function namedBlobs(event: SessionEvent, into: Set<string>): void {
  if (event.type === "action.result") for (const { blob } of event.data.evidence ?? []) into.add(blob);
  visit(event.data as unknown as JsonValue, into);
}

function visit(value: JsonValue | undefined, into: Set<string>): void {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) for (const item of value as readonly JsonValue[]) visit(item, into);
  else {
    const { $blob, type, blob } = value as JsonObject;
    if (typeof $blob === "string") into.add($blob);
    if (type === "image" && typeof blob === "string") into.add(blob);
    for (const item of Object.values(value as JsonObject)) visit(item, into);
  }
}

function isSession(value: JsonValue): boolean {
  return isObject(value) && typeof value["id"] === "string" && Array.isArray(value["events"]);
}

export function base64(bytes: Uint8Array): string {
  let binary = "";
  // A call takes so many arguments and no more.
  for (let at = 0; at < bytes.length; at += 0x80_00) binary += String.fromCharCode(...bytes.subarray(at, at + 0x80_00));
  return btoa(binary);
}

function bytesFrom(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, JsonValue | undefined>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
