import { zipEntries, zipFromEntries, type EntryToZip } from "../archive";
import { canonicalJson, type JsonObject, type JsonValue } from "../base";
import type { SnapshotTree } from "../fs";
import type { SessionEvent } from "../session";
import type { BlobReader } from "./createReplay";
import { WarningList, type ImportWarning } from "./importWarning";
import { ArchivedBlobs, BlobEntries } from "./savedBlobs";
import { savedTree, treeFromSaved } from "./savedTree";
import { LOG_NAME, sessionEntries, sessionFromTexts, TREE_NAME } from "./sessionZip";
import { TrajectoryError } from "./trajectoryError";

/** The number of this file's layout. */
const PROJECT_SCHEMA = 1;
export const PROJECT_NAME = "project.json";

/** A project as a driver hands it over: nothing of it is read from a store here but the values by hash. */
export interface ProjectToZip {
  readonly name: string;
  /** The project's own settings; no keys, no approvals, no endpoints belong in it. */
  readonly document: JsonObject;
  readonly disks: readonly { readonly id: string; readonly tree: SnapshotTree }[];
  /** Each asked for when its turn comes, so that one log is in memory at a time. */
  readonly sessions: Iterable<SessionOfProject> | AsyncIterable<SessionOfProject>;
  readonly blobs: BlobReader;
  readonly loadSnapshot: (rootHash: string) => Promise<SnapshotTree>;
  /** Called for each file whose contents cannot be read: the archive names it and does without them. */
  readonly lost?: (diskId: string, path: string) => void;
  /** Told of each entry before it is written. */
  readonly writing?: (path: string) => void;
}

export interface SessionOfProject {
  /** What a list shows of it. */
  readonly record: JsonObject;
  readonly events: readonly SessionEvent[];
}

export interface UnzippedProject {
  readonly name: string;
  readonly document: JsonObject;
  readonly disks: readonly { readonly id: string; readonly tree: SnapshotTree }[];
  readonly sessions: readonly (SessionOfProject & { readonly start: SnapshotTree | undefined })[];
  readonly blobs: BlobReader & { hashes(): readonly string[] };
  readonly warnings: readonly ImportWarning[];
}

/** A whole project as one file: its document, its disks, its sessions, and every value they name once. */
export async function projectZip(project: ProjectToZip, signal?: AbortSignal): Promise<Blob> {
  return await zipFromEntries(told(projectEntries(project), project.writing), signal);
}

async function* told(
  entries: AsyncGenerator<EntryToZip, void, undefined>,
  tell: (path: string) => void = () => undefined,
): AsyncGenerator<EntryToZip, void, undefined> {
  for await (const entry of entries) {
    tell(entry.path);
    yield entry;
  }
}

async function* projectEntries(project: ProjectToZip): AsyncGenerator<EntryToZip, void, undefined> {
  const { blobs, loadSnapshot, name, document } = project;
  const values = new BlobEntries(blobs);
  const records: JsonObject[] = [];
  for (const [index, disk] of project.disks.entries()) {
    yield jsonEntry(`disks/${index}.json`, { id: disk.id, ...savedTree(disk.tree) });
    yield* values.ofTree(disk.tree, (path) => project.lost?.(disk.id, path));
  }
  for await (const { record, events } of project.sessions) {
    yield* sessionEntries({ events, blobs, loadSnapshot }, `sessions/${records.length}/`, values);
    records.push(record);
  }
  // The last entry: an archive without it was cut.
  yield jsonEntry(PROJECT_NAME, { schema: PROJECT_SCHEMA, name, document, sessions: records });
}

/**
 * A project from its zip. What is broken in it costs itself and a warning.
 * @throws ArchiveError `broken-archive` · TrajectoryError `not-a-project`, `newer-schema`
 */
export async function projectFromZip(zip: Blob | Uint8Array): Promise<UnzippedProject> {
  const warnings = new WarningList();
  const blobs = new ArchivedBlobs();
  const texts = await projectTexts(zip, blobs, warnings);
  const head = objectOf(jsonOf(texts.get(PROJECT_NAME)));
  if (typeof head["name"] !== "string") {
    throw new TrajectoryError("not-a-project", `The archive holds no readable ${PROJECT_NAME}.`);
  }
  if (typeof head["schema"] === "number" && head["schema"] > PROJECT_SCHEMA) {
    throw new TrajectoryError("newer-schema", "This project was saved by a newer version.");
  }
  const sessions: (SessionOfProject & { start: SnapshotTree | undefined })[] = [];
  for (const [index, record] of listOf(head["sessions"]).entries()) {
    const folder = `sessions/${index}/`;
    const own = new WarningList();
    try {
      const log = texts.get(`${folder}${LOG_NAME}`);
      const session = await sessionFromTexts(log, texts.get(`${folder}${TREE_NAME}`), blobs, own);
      sessions.push({ record: objectOf(record), events: session.events, start: session.start });
    } catch (error) {
      if (!(error instanceof TrajectoryError)) throw error;
      warnings.add({ code: "bad-entry", message: `A session was left out: ${error.message}` });
    }
    for (const warning of own.all()) warnings.add(warning);
  }
  const disks = [...texts].flatMap(([path, text]) => {
    const saved = /^disks\/\d+\.json$/.test(path) ? objectOf(jsonOf(text)) : {};
    return typeof saved["id"] === "string" ? [{ id: saved["id"], tree: treeFromSaved(saved, blobs, warnings) }] : [];
  });
  const document = objectOf(head["document"]);
  return { name: head["name"], document, disks, sessions, blobs, warnings: warnings.all() };
}

async function projectTexts(
  zip: Blob | Uint8Array,
  blobs: ArchivedBlobs,
  warnings: WarningList,
): Promise<Map<string, Uint8Array>> {
  const texts = new Map<string, Uint8Array>();
  for await (const entry of zipEntries(zip)) {
    if (entry.kind === "refused") warnings.add({ code: "bad-entry", message: entry.error.message });
    else if (entry.kind === "file" && !blobs.take(entry) && isOurs(entry.path)) {
      try {
        texts.set(entry.path, await entry.bytes());
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        warnings.add({ code: "bad-entry", message: `${entry.path} cannot be read: ${reason}` });
      }
    }
  }
  return texts;
}

function isOurs(path: string): boolean {
  return path === PROJECT_NAME || /^(disks\/\d+\.json|sessions\/\d+\/(session\.ndjson|tree\.json))$/.test(path);
}

function jsonEntry(path: string, value: JsonObject): EntryToZip {
  return { path, bytes: new TextEncoder().encode(canonicalJson(value)) };
}

function jsonOf(bytes: Uint8Array | undefined): JsonValue {
  try {
    return bytes === undefined ? null : (JSON.parse(new TextDecoder().decode(bytes)) as JsonValue);
  } catch {
    return null;
  }
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}
