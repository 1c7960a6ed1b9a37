import { UnavailableError } from "../pathError";
import { SnapshotTree } from "../snapshotTree";
import type { FileEntry } from "../treeEntry";
import type { ContentStore } from "./contentStore";
import { diskHeadKey, stepsFromRecord, type DiskHead, type DiskStep } from "./diskRecords";
import type { RecordReader } from "./records";
import { StoredFile } from "./storedFile";

/** A disk as of one commit. */
export interface DiskState {
  readonly head: DiskHead | undefined;
  readonly tree: SnapshotTree;
}

export const emptyDisk: DiskState = { head: undefined, tree: SnapshotTree.empty };

/** @returns `undefined` for a disk nothing was written to yet */
export async function readDiskHead(reader: RecordReader, disk: string): Promise<DiskHead | undefined> {
  return (await reader.get(diskHeadKey(disk))) as DiskHead | undefined;
}

/**
 * The state `head` speaks of, from what is known and the records since.
 * @throws UnavailableError when the disk was removed or records of it are lost
 */
export async function stateAtHead(
  reader: RecordReader,
  disk: string,
  known: DiskState,
  head: DiskHead | undefined,
  contents: ContentStore,
): Promise<DiskState> {
  if (head === undefined && known.head === undefined) return known;
  if (head === undefined) throw new UnavailableError("/", "This disk was removed.");
  const knownSequence = known.head?.sequence ?? 0;
  if (known.head !== undefined && head.sequence === knownSequence) return { head, tree: known.tree };
  const isTailEnough = known.head !== undefined && knownSequence >= head.checkpointSequence;
  const tree = isTailEnough ? known.tree : await checkpointTree(reader, disk, head, contents);
  const from = (isTailEnough ? knownSequence : head.checkpointSequence) + 1;
  const log = await reader.entries({ prefix: ["d", disk, "l"], from });
  if (log.length !== head.sequence - from + 1) throw new UnavailableError("/", "Records of this disk are lost.");
  return {
    head,
    tree: treeWithSteps(
      tree,
      log.flatMap(([, record]) => stepsFromRecord(record)),
      contents,
    ),
  };
}

async function checkpointTree(
  reader: RecordReader,
  disk: string,
  head: DiskHead,
  contents: ContentStore,
): Promise<SnapshotTree> {
  if (head.checkpoint === 0) return SnapshotTree.empty;
  const chunks = await reader.entries({ prefix: ["d", disk, "c", head.checkpoint] });
  return treeWithSteps(
    SnapshotTree.empty,
    chunks.flatMap(([, record]) => stepsFromRecord(record)),
    contents,
  );
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

/** The steps that make the tree from nothing, in order of paths. */
export function* stepsOfTree(tree: SnapshotTree): Generator<DiskStep, void, undefined> {
  for (const [path, entry] of tree.walk()) {
    if (entry.kind === "file") {
      const { hash, sizeBytes, modifiedAt } = entry;
      yield { kind: "write", path, hash, sizeBytes, modifiedAt };
    } else if (entry.isExplicit) yield { kind: "mark", path };
  }
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
