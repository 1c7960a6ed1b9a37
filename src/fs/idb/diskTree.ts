import { UnavailableError } from "../pathError";
import { SnapshotTree } from "../snapshotTree";
import type { FileEntry } from "../treeEntry";
import type { ContentStore } from "./contentStore";
import { DamagedRecordError } from "./damagedRecordError";
import {
  diskHeadKey,
  diskLogPrefix,
  HEAD_WORDS,
  headFromRecord,
  LOST_REASON,
  sizeOfRecord,
  stepsFromRecord,
  type DiskHead,
  type DiskStep,
  type StepsRecord,
} from "./diskRecords";
import { treeFromImage } from "./imageTree";
import type { KeyedRecord, RecordKey, RecordReader } from "./records";
import { StoredFile } from "./storedFile";
import { imageFromRecord, isTreeImage } from "./treeImage";

/** A disk as of one commit. */
export interface DiskState {
  readonly head: DiskHead | undefined;
  readonly tree: SnapshotTree;
  /** How much the log after the checkpoint holds, as a measure of when to write the next. */
  readonly logSize: number;
}

export const emptyDisk: DiskState = { head: undefined, tree: SnapshotTree.empty, logSize: 0 };

/** @returns `undefined` for a disk nothing was written to yet. @throws DamagedRecordError, UnavailableError */
export async function readDiskHead(reader: RecordReader, disk: string): Promise<DiskHead | undefined> {
  const [head, last] = await Promise.all([reader.get(diskHeadKey(disk)), reader.lastKey(diskLogPrefix(disk))]);
  return headFromRecord(head, sequenceOf(last));
}

/**
 * The newest state, from what is known and the records since.
 * @throws UnavailableError when the disk was removed or records of it are lost, DamagedRecordError
 */
export async function readDiskState(
  reader: RecordReader,
  disk: string,
  known: DiskState,
  contents: ContentStore,
): Promise<DiskState> {
  if (known.head === undefined) return wholeState(reader, disk, contents);
  const { sequence, checkpoint } = known.head;
  const head = await readDiskHead(reader, disk);
  if (head === undefined) throw new UnavailableError("/", "This disk was removed.");
  if (head.sequence === sequence && head.checkpoint === checkpoint) return known;
  if (sequence < head.checkpointSequence) return wholeState(reader, disk, contents);
  const log = await reader.entries({ prefix: diskLogPrefix(disk), from: sequence + 1 });
  const isNewCheckpoint = head.checkpoint !== checkpoint;
  return stateAfterLog({ ...known, logSize: isNewCheckpoint ? 0 : known.logSize }, sequence, head, log, contents);
}

/** In one go, because a way to the store and back costs more than what there is. */
async function wholeState(reader: RecordReader, disk: string, contents: ContentStore): Promise<DiskState> {
  const records = await reader.entries({ prefix: ["d", disk] });
  const of = (kind: string) => records.filter(([key]) => key[2] === kind);
  const log = of("l");
  const head = headFromRecord(of("h")[0]?.[1], sequenceOf(log.at(-1)?.[0]));
  if (head === undefined) {
    if (isHeadLost(log, of("c"))) throw new DamagedRecordError(HEAD_WORDS);
    return emptyDisk;
  }
  const checkpoint = of("c").filter(([key]) => key[3] === head.checkpoint);
  if (head.checkpoint > 0 && checkpoint.length === 0) throw new UnavailableError("/", LOST_REASON);
  const tree = checkpointTree(checkpoint, contents);
  const since = log.filter(([key]) => sequenceOf(key) > head.checkpointSequence);
  return stateAfterLog({ ...emptyDisk, tree }, head.checkpointSequence, head, since, contents);
}

/** Without a head there is no disk; but a commit that was under way when the disk was removed may have been left. */
function isHeadLost(log: readonly KeyedRecord[], checkpoint: readonly KeyedRecord[]): boolean {
  return checkpoint.length > 0 || sequenceOf(log[0]?.[0]) === 1;
}

function stateAfterLog(
  before: DiskState,
  sequence: number,
  head: DiskHead,
  log: readonly KeyedRecord[],
  contents: ContentStore,
): DiskState {
  if (log.length !== head.sequence - sequence) throw new UnavailableError("/", LOST_REASON);
  const steps = log.flatMap(([, record]) => stepsFromRecord(record));
  contents.addPacks(log);
  const logSize = log.reduce((sum, [, record]) => sum + sizeOfRecord(record as StepsRecord), before.logSize);
  return { head, tree: treeWithSteps(before.tree, steps, contents), logSize };
}

/** The number of a commit by its key in the log; 0 when there is none. */
function sequenceOf(key: RecordKey | undefined): number {
  return Number(key?.[3] ?? 0);
}

function checkpointTree(records: readonly KeyedRecord[], contents: ContentStore): SnapshotTree {
  const [first] = records;
  if (isTreeImage(first?.[1])) return treeFromImage(imageFromRecord(first?.[1]), contents);
  const steps = records.flatMap(([, record]) => stepsFromRecord(record));
  return treeWithSteps(SnapshotTree.empty, steps, contents);
}

/** The tree after the steps. @throws the PathError of a step that cannot be taken */
export function treeWithSteps(tree: SnapshotTree, steps: readonly DiskStep[], contents: ContentStore): SnapshotTree {
  let current = tree;
  let writes: [path: string, file: FileEntry][] = [];
  const finishWrites = () => {
    const [first] = writes;
    if (first !== undefined) current = writes.length === 1 ? current.withFile(...first) : current.withFiles(writes);
    writes = [];
  };
  for (const step of steps) {
    if (step.kind === "write") {
      writes.push([step.path, new StoredFile(contents, step)]);
      continue;
    }
    finishWrites();
    if (step.kind === "remove") current = current.without(step.path);
    else if (step.kind === "mark") current = current.withDirectory(step.path);
    else current = current.renamed(step.path, step.to);
  }
  finishWrites();
  return current;
}

/** The hashes of what the steps take out of the tree; `after` is the tree they make of it. */
export function* hashesDropped(
  before: SnapshotTree,
  after: SnapshotTree,
  steps: readonly DiskStep[],
): Generator<string, void, undefined> {
  // As many more files as were written: nothing was there before, which spares an import the looking.
  if (steps.every(({ kind }) => kind === "write") && after.fileCount - before.fileCount === steps.length) return;
  for (const step of steps) {
    if (step.kind !== "write" && step.kind !== "remove") continue;
    const entry = before.entry(step.path);
    if (entry?.kind === "file") yield entry.hash;
    else if (step.kind === "remove") for (const [, file] of before.files(step.path)) yield file.hash;
  }
}
