import { canonicalJson, sha256HexSync, type JsonObject, type JsonValue } from "../../base";
import { base64FromBytes, bytesFromBase64 } from "../base64";
import type { BlobReader } from "../createReplay";
import { valueBlobs } from "../inlinedValues";
import { soundEvents } from "../soundEvents";
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
  for (const { events } of sessions) for (const event of soundEvents(events)) valueBlobs(event, named);
  const kept: [string, string][] = [];
  for (const hash of [...named].toSorted()) {
    const bytes = await blobs?.get(hash);
    if (bytes !== undefined) kept.push([hash, base64FromBytes(bytes)]);
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
    const bytes = typeof text === "string" ? bytesFromBase64(text) : undefined;
    if (bytes !== undefined && sha256HexSync(bytes) === hash) kept.set(hash, bytes);
  }
  return { sessions: sessions as unknown as readonly SessionToExport[], blobs: kept };
}

function isSession(value: JsonValue): boolean {
  return isObject(value) && typeof value["id"] === "string" && Array.isArray(value["events"]);
}

function isObject(value: unknown): value is Readonly<Record<string, JsonValue | undefined>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
