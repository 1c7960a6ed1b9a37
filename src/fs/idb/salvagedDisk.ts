import { isVersionId } from "../mirror/versionId";
import { isUnder, validFsPath } from "../path";
import { PathError } from "../pathError";
import { SnapshotTree } from "../snapshotTree";
import type { FileEntry } from "../treeEntry";
import type { ContentStore } from "./contentStore";
import { DamagedRecordError } from "./damagedRecordError";
import { headFromRecord, stepsFromRecord, type DiskHead, type DiskStep } from "./diskRecords";
import { treeWithSteps, type DiskState } from "./diskTree";
import { treeFromImage } from "./imageTree";
import type { KeyedRecord, RecordReader } from "./records";
import { StoredFile } from "./storedFile";
import { imageFromRecord, isTreeImage, type TreeImage } from "./treeImage";

/** What could be read of a damaged disk: to be looked at and exported, never to be written on. */
export interface SalvagedDisk {
  readonly state: DiskState;
  /** What is damaged and what that means, in words for a person. */
  readonly reason: string;
}

/**
 * All that can be read of a disk some of whose records are damaged or lost: its checkpoint, as far as it makes sense, and
 * every whole commit since. It may be a state the disk never had; files are as they were written, because contents are held
 * against their hashes when they are read.
 * @returns `undefined` when nothing of the disk is there
 */
export async function salvagedDisk(
  reader: RecordReader,
  disk: string,
  contents: ContentStore,
): Promise<SalvagedDisk | undefined> {
  const records = await reader.entries({ prefix: ["d", disk] });
  if (records.length === 0) return undefined;
  const of = (kind: string) => records.filter(([key]) => key[2] === kind);
  const damages: string[] = [];
  const log = of("l");
  const last = Number(log.at(-1)?.[0][3] ?? 0);
  const head = salvagedHead(of("h")[0]?.[1], last, damages);
  const generation = head?.checkpoint ?? Math.max(0, ...of("c").map(([key]) => Number(key[3])));
  const checkpoint = of("c").filter(([key]) => key[3] === generation);
  let tree = salvagedCheckpoint(checkpoint, contents, damages);
  if (checkpoint.length === 0 && (head?.checkpoint ?? 0) > 0) {
    damages.push("the checkpoint is lost: only files written since are shown");
  }
  const since = log.filter(([key]) => Number(key[3]) > (head?.checkpointSequence ?? 0));
  const expected = last - (head?.checkpointSequence ?? Number(since[0]?.[0][3] ?? 1) - 1);
  let whole = 0;
  contents.addPacks(since);
  for (const [, record] of since) {
    const steps = salvagedSteps(record);
    if (steps === undefined) continue;
    whole++;
    tree = treeWithPossibleSteps(tree, steps, contents);
  }
  const missing = expected - whole;
  if (missing > 0) {
    damages.push(
      `${missing === 1 ? "1 commit" : `${missing} commits`} of ${expected} since the checkpoint cannot be read`,
    );
  }
  const shownHead: DiskHead = head ?? { schema: 1, sequence: last, checkpoint: generation, checkpointSequence: 0 };
  return { state: { head: shownHead, tree, logSize: 0 }, reason: reasonOf(damages) };
}

function reasonOf(damages: readonly string[]): string {
  const what = damages.length === 0 ? "a record of it is lost" : damages.join("; ");
  return `This disk is damaged: ${what}. What can be read is shown; nothing is written on it. Export it to keep it.`;
}

function salvagedHead(record: unknown, lastLogged: number, damages: string[]): DiskHead | undefined {
  try {
    const head = headFromRecord(record, lastLogged);
    if (head === undefined) damages.push("its head is lost");
    return head;
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    if (error instanceof DamagedRecordError) damages.push("its head cannot be read");
    return undefined;
  }
}

function salvagedSteps(record: unknown): readonly DiskStep[] | undefined {
  try {
    return stepsFromRecord(record);
  } catch (error) {
    if (error instanceof DamagedRecordError) return undefined;
    throw error;
  }
}

function salvagedCheckpoint(records: readonly KeyedRecord[], contents: ContentStore, damages: string[]): SnapshotTree {
  const [first] = records;
  if (!isTreeImage(first?.[1])) {
    const chunks = records.map(([, record]) => salvagedSteps(record));
    const lost = chunks.filter((chunk) => chunk === undefined).length;
    if (lost > 0) damages.push(`${lost} of ${chunks.length} parts of its checkpoint cannot be read`);
    return treeWithPossibleSteps(
      SnapshotTree.empty,
      chunks.flatMap((chunk) => chunk ?? []),
      contents,
    );
  }
  try {
    return treeFromImage(imageFromRecord(first?.[1]), contents);
  } catch (error) {
    if (!(error instanceof DamagedRecordError)) throw error;
    damages.push("its checkpoint is not what was written: names may be wrong and files missing");
    return treeFromDamagedImage(first?.[1] as TreeImage, contents);
  }
}

/** What of an image makes sense. Where it leads nowhere, or in a circle, it is left. */
function treeFromDamagedImage(image: TreeImage, contents: ContentStore): SnapshotTree {
  const files = new Map<string, FileEntry>();
  // As many entries as there can be: damage may lead round and round.
  let left = image.kinds?.length ?? 0;
  try {
    for (const [path, entry] of treeFromImage(image, contents).walk()) {
      if (left-- <= 0) break;
      // Where its contents lie is found by their hash: what the image says of it may be wrong, too.
      if (entry.kind === "file" && isPossible(path, entry)) files.set(path, new StoredFile(contents, entry));
    }
  } catch {
    // What was found before it broke is what there is.
  }
  let tree = SnapshotTree.empty;
  for (const [path, file] of files) tree = withPossible(tree, (current) => current.withFile(path, file));
  return tree;
}

function isPossible(path: string, { hash, sizeBytes, modifiedAt }: FileEntry): boolean {
  try {
    const isHash = /^[0-9a-f]{64}$/.test(hash) || isVersionId(hash);
    return validFsPath(path) === path && isUnder(path, "/") && isHash && sizeBytes >= 0 && Number.isFinite(modifiedAt);
  } catch {
    return false;
  }
}

/** The tree after every step that can be taken. */
function treeWithPossibleSteps(tree: SnapshotTree, steps: readonly DiskStep[], contents: ContentStore): SnapshotTree {
  return steps.reduce(
    (before, step) => withPossible(before, (current) => treeWithSteps(current, [step], contents)),
    tree,
  );
}

function withPossible(tree: SnapshotTree, change: (tree: SnapshotTree) => SnapshotTree): SnapshotTree {
  try {
    return change(tree);
  } catch (error) {
    if (error instanceof PathError) return tree;
    throw error;
  }
}
