import { zipEntries, zipFromEntries, type EntryToZip } from "../archive";
import { canonicalJson, type JsonValue } from "../base";
import type { SnapshotTree } from "../fs";
import type { SessionEvent } from "../session";
import type { BlobReader } from "./createReplay";
import { eventsFromNdjson } from "./eventsFromNdjson";
import { WarningList, type ImportWarning } from "./importWarning";
import { ndjsonText } from "./ndjsonFromEvents";
import { ArchivedBlobs, BlobEntries, blobHashes } from "./savedBlobs";
import { savedTree, treeFromSaved } from "./savedTree";
import { TrajectoryError } from "./trajectoryError";

export const LOG_NAME = "session.ndjson";
export const TREE_NAME = "tree.json";
const OTHER_LOG = /^subagents\/\d+\/session\.ndjson$/;

export interface SessionToZip {
  readonly events: readonly SessionEvent[];
  readonly blobs: BlobReader;
  /** The kept tree of that root hash. May throw: what it would have held is then left out. */
  readonly loadSnapshot: (rootHash: string) => Promise<SnapshotTree>;
  /** The logs of the sessions that work for it. */
  readonly subagents?: readonly (readonly SessionEvent[])[];
}

/** A session with all it takes to replay it elsewhere: the log, the tree it began with, and every value the log names. */
export async function sessionZip(session: SessionToZip, signal?: AbortSignal): Promise<Blob> {
  const blobs = new BlobEntries(session.blobs);
  return await zipFromEntries(familyEntries(session, blobs), signal);
}

async function* familyEntries(session: SessionToZip, blobs: BlobEntries): AsyncGenerator<EntryToZip, void, undefined> {
  yield* sessionEntries(session, "", blobs);
  for (const [index, events] of (session.subagents ?? []).entries()) {
    yield { path: `subagents/${index + 1}/${LOG_NAME}`, bytes: new TextEncoder().encode(await ndjsonText(events)) };
    yield* blobs.ofHashes(blobHashes(events));
  }
}

/** The entries of a session under a folder of an archive; values go into the archive's own store. */
export async function* sessionEntries(
  session: SessionToZip,
  folder: string,
  blobs: BlobEntries,
): AsyncGenerator<EntryToZip, void, undefined> {
  const bytes = new TextEncoder();
  yield { path: `${folder}${LOG_NAME}`, bytes: bytes.encode(await ndjsonText(session.events)) };
  for (const [index, rootHash] of snapshotHashes(session.events).entries()) {
    const tree = await loadedTree(session, rootHash);
    if (tree === undefined) continue;
    // The first is the tree the session began with; later ones only hold what people changed in between.
    if (index === 0) yield { path: `${folder}${TREE_NAME}`, bytes: bytes.encode(canonicalJson(savedTree(tree))) };
    if (index === 0) yield* blobs.ofTree(tree);
    else yield* changedContents(session.events, tree, rootHash, blobs);
  }
  yield* blobs.ofHashes(blobHashes(session.events));
}

async function* changedContents(
  events: readonly SessionEvent[],
  tree: SnapshotTree,
  rootHash: string,
  blobs: BlobEntries,
): AsyncGenerator<EntryToZip, void, undefined> {
  for (const event of events) {
    if (event.type !== "tree.changed" || event.data.snapshot !== rootHash) continue;
    for (const { path, after } of event.data.changes) {
      const file = tree.file(path);
      if (file !== undefined && file.hash === after) yield* blobs.ofFile(file);
    }
  }
}

function snapshotHashes(events: readonly SessionEvent[]): string[] {
  const hashes: string[] = [];
  for (const event of events) {
    const hash =
      event.type === "session.started"
        ? event.data.playground?.snapshot
        : event.type === "tree.changed"
          ? event.data.snapshot
          : undefined;
    if (hash !== undefined) hashes.push(hash);
  }
  return hashes;
}

async function loadedTree(session: SessionToZip, rootHash: string): Promise<SnapshotTree | undefined> {
  try {
    return await session.loadSnapshot(rootHash);
  } catch {
    // A tree that was not kept costs the tree, not the log.
    return undefined;
  }
}

export interface UnzippedSession {
  readonly events: readonly SessionEvent[];
  /** The tree the session began with; `undefined` when the file does not hold it. */
  readonly start: SnapshotTree | undefined;
  /** The values the file holds. */
  readonly blobs: BlobReader & { hashes(): readonly string[] };
  readonly warnings: readonly ImportWarning[];
}

export interface UnzippedFamily extends UnzippedSession {
  /** The logs of the sessions that work for it. */
  readonly subagents: readonly (readonly SessionEvent[])[];
}

/**
 * A session from its zip.
 * @throws ArchiveError `broken-archive` · TrajectoryError `not-a-session`, `newer-schema`
 */
export async function sessionFromZip(zip: Blob | Uint8Array): Promise<UnzippedFamily> {
  const warnings = new WarningList();
  const blobs = new ArchivedBlobs();
  const texts = new Map<string, Uint8Array>();
  for await (const entry of zipEntries(zip)) {
    if (entry.kind === "refused") warnings.add({ code: "bad-entry", message: entry.error.message });
    else if (entry.kind === "file" && !blobs.take(entry) && isText(entry.path)) {
      try {
        texts.set(entry.path, await entry.bytes());
      } catch (error) {
        warnings.add({ code: "bad-entry", message: `${entry.path} cannot be read: ${messageOf(error)}` });
      }
    }
  }
  const session = await sessionFromTexts(texts.get(LOG_NAME), texts.get(TREE_NAME), blobs, warnings);
  const subagents: (readonly SessionEvent[])[] = [];
  for (const [path, log] of texts) {
    if (!OTHER_LOG.test(path)) continue;
    const { events, warnings: found } = await eventsFromNdjson(log);
    for (const warning of found) warnings.add(warning);
    subagents.push(events);
  }
  return { ...session, subagents, warnings: warnings.all() };
}

function isText(path: string): boolean {
  return path === LOG_NAME || path === TREE_NAME || OTHER_LOG.test(path);
}

/** A session from the texts of its archive. */
export async function sessionFromTexts(
  log: Uint8Array | undefined,
  tree: Uint8Array | undefined,
  blobs: ArchivedBlobs,
  warnings: WarningList,
): Promise<UnzippedSession> {
  if (log === undefined) throw new TrajectoryError("not-a-session", `The archive holds no ${LOG_NAME}.`);
  const imported = await eventsFromNdjson(log);
  for (const warning of imported.warnings) warnings.add(warning);
  const start = tree === undefined ? undefined : treeFromSaved(jsonFrom(tree, warnings), blobs, warnings);
  const named = blobHashes(imported.events);
  for (const [, file] of start?.files() ?? []) named.add(file.hash);
  const missing = [...named].filter((hash) => !blobs.has(hash)).length;
  if (missing > 0) {
    warnings.add({ code: "missing-blob", message: `${missing} of the values this session names are not in the file.` });
  }
  return { events: imported.events, start, blobs, warnings: warnings.all() };
}

function jsonFrom(bytes: Uint8Array, warnings: WarningList): JsonValue {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as JsonValue;
  } catch {
    warnings.add({ code: "bad-json", message: `${TREE_NAME} is not valid JSON; the starting tree is lost.` });
    return {};
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
