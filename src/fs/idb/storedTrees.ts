import { limits, nextTask, sha256Hex } from "../../base";
import type { SnapshotTree } from "../snapshotTree";
import type { FileEntry } from "../treeEntry";
import { isVersionId } from "../mirror/versionId";
import { treeRecords, type TreeRecord } from "../treeRecords";
import type { HashedContent } from "./contentPacks";
import type { ProjectDatabase } from "./projectDatabase";
import { bumpEpoch } from "./projectHead";

/** To hand a record to the browser takes some 30 µs, and nothing else gets a turn between two of them. */
const RECORDS_AT_ONCE = 500;

/**
 * Stores a tree under its root hash: records by hash, contents by hash. What a stored tree shares with it is passed over, so
 * keeping one more costs what differs. Versions of files that lie elsewhere are only named: what was read of them is kept by
 * their mirror, and nothing is read for a snapshot. It stays while a pin names it (pins.ts), or this project is open here.
 * @throws QuotaError, UnavailableError
 */
export async function saveSnapshot(database: ProjectDatabase, tree: SnapshotTree): Promise<string> {
  const rootHash = await tree.rootHash();
  database.freshTrees.add(rootHash);
  const savedIds = (database.savedTreeIds ??= await readSavedIds(database));
  const records = await unsavedRecords(tree, savedIds);
  if (records.length === 0) return rootHash;
  const files = new Map(records.flatMap((record) => record.files.map((file) => [file.hash, file] as const)));
  const missing = await database.contents.missing(files.keys());
  const toStore = [...files.values()].filter(({ hash }) => missing.has(hash) && !isVersionId(hash));
  await putContents(database, toStore);
  await database.records.write(async (writer) => {
    await bumpEpoch(writer);
    for (const [index, { id, text }] of records.entries()) {
      writer.put(["t", id], text);
      // To wait for one is to let others have a turn, within the one transaction.
      if (index % RECORDS_AT_ONCE === RECORDS_AT_ONCE - 1) await writer.get(["t", id]);
    }
  });
  for (const { id } of records) savedIds.add(id);
  return rootHash;
}

/** What of a tree is not stored yet; a large tree takes its time, and others get theirs. */
async function unsavedRecords(tree: SnapshotTree, savedIds: ReadonlySet<string>): Promise<TreeRecord[]> {
  const records: TreeRecord[] = [];
  let began = performance.now();
  for await (const record of treeRecords(tree, (id) => savedIds.has(id))) {
    records.push(record);
    if (performance.now() - began < limits.workSliceMs) continue;
    await nextTask();
    began = performance.now();
  }
  return records;
}

/** @throws UnavailableError when the tree, or a part of it, is not stored */
export function loadSnapshot(database: ProjectDatabase, rootHash: string): Promise<SnapshotTree> {
  return database.trees.load(rootHash);
}

/** What other tabs save meanwhile is saved here once more, which changes nothing. */
async function readSavedIds({ records }: ProjectDatabase): Promise<Set<string>> {
  const keys = await records.read((reader) => reader.keys({ prefix: ["t"] }));
  return new Set(keys.map((key) => String(key[1])));
}

async function putContents(database: ProjectDatabase, files: readonly FileEntry[]): Promise<void> {
  let batch: HashedContent[] = [];
  let batchBytes = 0;
  const finishBatch = async () => {
    if (batch.length > 0) await database.contents.putAll(batch, "packed");
    batch = [];
    batchBytes = 0;
  };
  for (const file of files) {
    const content = await hashedContent(file);
    if (content === undefined) continue;
    batch.push(content);
    batchBytes += content.bytes.length;
    if (batchBytes >= limits.importBatchBytes) await finishBatch();
  }
  await finishBatch();
}

/** `undefined` for a file of somebody's folder or store that cannot be had: the snapshot only names it. */
async function hashedContent(file: FileEntry): Promise<HashedContent | undefined> {
  try {
    const bytes = file.bytesNow?.() ?? (await file.bytes());
    return { hash: await sha256Hex(bytes), bytes };
  } catch (error) {
    if (file.isElsewhere) return undefined;
    throw error;
  }
}
