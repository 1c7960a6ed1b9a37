import { limits } from "../../base";
import { UnavailableError } from "../pathError";
import type { SnapshotTree } from "../snapshotTree";
import { assertWholeRecord, namedByRecord } from "../treeRecords";
import {
  indexFromRecord,
  packedContents,
  packIndexKey,
  packFromRecord,
  packKey,
  packedRecords,
  putRecords,
  type HashedContent,
  type PackedAt,
} from "./contentPacks";
import { diskNames } from "./diskNames";
import { emptyDisk, readDiskHead, readDiskState } from "./diskTree";
import { allPins } from "./pins";
import { openLockName, type ProjectDatabase } from "./projectDatabase";
import { assertWritable, putProjectHead, readProjectHead, type ProjectHead } from "./projectHead";
import type { RecordKey, RecordReader } from "./records";
import { timedId } from "./timedId";

export interface SweepOptions {
  /** The trees somebody in this tab still shows. Without it, whatever left a tree so lately that it can be undone counts as shown. */
  readonly held?: readonly SnapshotTree[];
  /** There is no room: nothing is written anew, and a pack stays as long as anything in it is needed. */
  readonly isFull?: boolean;
}

export interface SweepResult {
  /** `false` when another tab has the project open, which may show what nothing names any more. */
  readonly isDone: boolean;
  /** Contents and tree records taken away. */
  readonly deletedCount: number;
}

/** What a clean-up will do, and the numbers that must still be true when it does. */
interface SweepPlan {
  readonly stamp: string;
  readonly deletedCount: number;
  readonly deletions: readonly RecordKey[];
  readonly repacked: readonly HashedContent[];
}

/**
 * Takes away contents and tree records that no disk, no pin and no held tree names, and writes packs that are mostly
 * dead anew. First everything is marked in a transaction that only reads; then, in one that writes, it is made sure that
 * nothing was stored or named in between. A Web Lock keeps two tabs from doing the same work; nothing rests on it.
 */
export async function sweepProject(database: ProjectDatabase, options: SweepOptions = {}): Promise<SweepResult> {
  const sweep = () => sweepAlone(database, options);
  if (globalThis.navigator?.locks === undefined) return sweep();
  return navigator.locks.request(`rootscope/sweep/${database.name}`, { ifAvailable: true }, (lock) =>
    lock === null ? { isDone: false, deletedCount: 0 } : sweep(),
  );
}

async function sweepAlone(database: ProjectDatabase, options: SweepOptions): Promise<SweepResult> {
  for (let attempt = 0; attempt < limits.sweepAttempts; attempt++) {
    if (!(await isOnlyHandle(database))) break;
    const shown = shownHashes(database, options);
    const isFull = options.isFull === true;
    const plan = await database.records.read((reader) => planned(reader, database, shown, isFull));
    if (plan.deletions.length === 0) return { isDone: true, deletedCount: 0 };
    if (!(await carriedOut(database, plan))) continue;
    database.contents.forgetPlaces();
    database.savedTreeIds = undefined;
    return { isDone: true, deletedCount: plan.deletedCount };
  }
  return { isDone: false, deletedCount: 0 };
}

/** Other handles may show trees that nothing stored names: nothing is taken from under them. */
async function isOnlyHandle(database: ProjectDatabase): Promise<boolean> {
  if (globalThis.navigator?.locks === undefined) return !database.isShared;
  const { held = [] } = await navigator.locks.query();
  const prefix = openLockName(database.name, "");
  const own = openLockName(database.name, database.handleId);
  return held.every(({ name }) => name === own || name?.startsWith(prefix) !== true);
}

function shownHashes(database: ProjectDatabase, { held }: SweepOptions): Set<string> {
  const shown = new Set(database.contents.freshHashes);
  if (held === undefined) for (const hash of database.droppedLately()) shown.add(hash);
  for (const tree of held ?? []) for (const [, file] of tree.files()) shown.add(file.hash);
  return shown;
}

async function planned(
  reader: RecordReader,
  database: ProjectDatabase,
  live: Set<string>,
  isFull: boolean,
): Promise<SweepPlan> {
  const [disks, treeEntries, pins] = await Promise.all([
    diskNames(reader),
    reader.entries({ prefix: ["t"] }),
    allPins(reader),
  ]);
  for (const disk of disks) {
    const state = await readDiskState(reader, disk, emptyDisk, database.contents);
    for (const [, file] of state.tree.files()) live.add(file.hash);
  }
  for (const hash of pins.contents) live.add(hash);
  const treeTexts = new Map(treeEntries.map(([key, text]) => [String(key[1]), text as string]));
  const liveTrees = markedTrees([...pins.trees, ...database.freshTrees], treeTexts, live);
  const deadTrees = [...treeTexts.keys()].filter((id) => !liveTrees.has(id)).map((id): RecordKey => ["t", id]);
  const packs = await plannedPacks(reader, live, isFull);
  const deadLoose = (await reader.keys({ prefix: ["b"] })).filter(
    (key) => !live.has(String(key[1])) || packs.kept.has(String(key[1])),
  );
  return {
    stamp: await stampOf(reader, disks),
    deletedCount: deadTrees.length + deadLoose.length + packs.deadCount,
    deletions: [...deadTrees, ...deadLoose, ...packs.deletions],
    repacked: packs.repacked,
  };
}

/** Numbers that move with whatever stores or names a content. */
async function stampOf(reader: RecordReader, disks: readonly string[]): Promise<string> {
  const head = await readProjectHead(reader);
  const heads = await Promise.all(disks.map((disk) => readDiskHead(reader, disk)));
  return [head.epoch, ...disks.map((disk, index) => `${disk}:${heads[index]?.sequence}`)].join(" ");
}

/** @throws DamagedRecordError: then nobody knows what may be taken away */
function markedTrees(roots: readonly string[], texts: ReadonlyMap<string, string>, live: Set<string>): Set<string> {
  const marked = new Set<string>();
  const waiting = [...roots];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const text = texts.get(id);
    if (marked.has(id)) continue;
    // A root that was never stored is nothing to keep; a part that is lost or damaged hides what it named.
    if (text === undefined && roots.includes(id)) continue;
    assertWholeRecord(id, text);
    marked.add(id);
    const { fileHashes, recordIds } = namedByRecord(text);
    for (const hash of fileHashes) live.add(hash);
    waiting.push(...recordIds);
  }
  return marked;
}

interface PlannedPacks {
  /** Contents that stay where they are. */
  readonly kept: ReadonlySet<string>;
  readonly deadCount: number;
  readonly deletions: readonly RecordKey[];
  readonly repacked: readonly HashedContent[];
}

async function plannedPacks(reader: RecordReader, live: ReadonlySet<string>, isFull: boolean): Promise<PlannedPacks> {
  const kept = new Set<string>();
  const moved = new Set<string>();
  const deletions: RecordKey[] = [];
  const repacked: HashedContent[] = [];
  let deadCount = 0;
  let movedBytes = 0;
  for (const [key, indexRecord] of await reader.entries({ prefix: ["x"] })) {
    const index = indexFromRecord(indexRecord);
    const contents = [...packedContents(key, index)];
    const needed = contents.filter(([hash]) => live.has(hash) && !kept.has(hash) && !moved.has(hash));
    const neededBytes = sumLengths(needed);
    const keptShare = isFull ? 0 : limits.repackLiveShare;
    const isWorthKeeping = neededBytes > sumLengths(contents) * keptShare;
    if (isWorthKeeping || movedBytes + neededBytes > limits.importBatchBytes) {
      for (const [hash] of needed) kept.add(hash);
      continue;
    }
    const [, packId, packNumber] = key;
    const [id, number] = [String(packId), Number(packNumber)];
    deletions.push(packKey(id, number), packIndexKey(id, number));
    deadCount += contents.length - needed.length;
    movedBytes += neededBytes;
    if (needed.length === 0) continue;
    const record = await reader.get(packKey(id, number));
    if (record === undefined) throw new UnavailableError("/", "A pack of this project is lost.");
    const bytes = packFromRecord(record, index.bytesChecksum);
    for (const [hash, { offset, length }] of needed) {
      moved.add(hash);
      repacked.push({ hash, bytes: bytes.slice(offset, offset + length) });
    }
  }
  return { kept: new Set([...kept, ...moved]), deadCount, deletions, repacked };
}

function sumLengths(contents: readonly (readonly [string, PackedAt])[]): number {
  return contents.reduce((sum, [, { length }]) => sum + length, 0);
}

/** @returns `false` when somebody stored or named something since the plan was made */
function carriedOut(database: ProjectDatabase, plan: SweepPlan): Promise<boolean> {
  return database.writeDeletion(async (writer) => {
    const head: ProjectHead = await readProjectHead(writer);
    assertWritable(head);
    if ((await stampOf(writer, await diskNames(writer))) !== plan.stamp) return false;
    for (const key of plan.deletions) writer.delete(key);
    putRecords(writer, packedRecords(plan.repacked, timedId()));
    putProjectHead(writer, { ...head, epoch: head.epoch + 1 });
    return true;
  });
}
