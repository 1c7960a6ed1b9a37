import type { FileEntry } from "../treeEntry";
import {
  contentsInRecord,
  packedContents,
  packedRecords,
  putRecords,
  type HashedContent,
  type PackedAt,
  type PackIndex,
} from "./contentPacks";
import type { ContentStore } from "./contentStore";
import { DamagedRecordError } from "./damagedRecordError";
import { checkpointKey, diskHeadKey, diskLogPrefix, recordFromHead, type DiskHead } from "./diskRecords";
import { readDiskHead, type DiskState } from "./diskTree";
import { assertWritable, putProjectHead, readProjectHead, STORAGE_SCHEMA } from "./projectHead";
import type { KeyedRecord, Records, RecordWriter } from "./records";
import { ContentFile } from "./storedFile";
import { timedId } from "./timedId";
import { imageFromTree } from "./treeImage";

/**
 * Writes the disk's tree whole and drops the log it makes needless, in one transaction; contents that lay in the log go
 * into packs.
 * @returns the new head, or `undefined` when somebody committed in between or did it already: then it is for later
 */
export async function writeCheckpoint(
  records: Records,
  disk: string,
  state: DiskState,
  contents: ContentStore,
): Promise<DiskHead | undefined> {
  const log = await records.read((reader) => reader.entries({ prefix: diskLogPrefix(disk) }));
  const packs = packsOfLog(log.flatMap(contentsInRecord));
  const image = imageFromTree(state.tree, placesIn(contents, packs));
  const next = await records.write(async (writer) => {
    const [projectHead, head] = await Promise.all([readProjectHead(writer), readDiskHead(writer, disk)]);
    assertWritable(projectHead);
    const isCurrent = head !== undefined && head.sequence === state.head?.sequence;
    if (!isCurrent || head.checkpointSequence === head.sequence) return undefined;
    const { sequence, checkpoint } = head;
    const written = { schema: STORAGE_SCHEMA, sequence, checkpoint: checkpoint + 1, checkpointSequence: sequence };
    // What nobody committed to since is the log that was read.
    putRecords(writer, packs);
    writer.deleteAll(diskLogPrefix(disk));
    writer.deleteAll(["d", disk, "c"]);
    writer.put(checkpointKey(disk, written.checkpoint), image);
    writer.put(diskHeadKey(disk), recordFromHead(written));
    if (projectHead.schema < STORAGE_SCHEMA) putProjectHead(writer, { ...projectHead, schema: STORAGE_SCHEMA });
    return written;
  });
  if (next !== undefined) contents.addPacks(packs);
  return next;
}

/** Takes a disk's log away; the contents that lay in it are put into packs, because others may name them. */
export async function unloadLog(writer: RecordWriter, disk: string): Promise<void> {
  const log = await writer.entries({ prefix: diskLogPrefix(disk) });
  putRecords(writer, packsOfLog(log.flatMap(wholeContentsInRecord)));
  writer.deleteAll(diskLogPrefix(disk));
}

function packsOfLog(held: readonly HashedContent[]): KeyedRecord[] {
  return packedRecords(new Map(held.map((content) => [content.hash, content])).values(), timedId());
}

/** A disk can be removed however damaged it is. */
function wholeContentsInRecord(record: KeyedRecord): HashedContent[] {
  try {
    return contentsInRecord(record);
  } catch (error) {
    if (error instanceof DamagedRecordError) return [];
    throw error;
  }
}

/** Where the contents of a file are once the checkpoint is written. */
function placesIn(contents: ContentStore, packs: readonly KeyedRecord[]): (file: FileEntry) => PackedAt | undefined {
  const indexes = packs.filter(([key]) => key[0] === "x");
  const written = new Map(indexes.flatMap(([key, value]) => [...packedContents(key, value as PackIndex)]));
  return (file) => {
    const known = contents.lastingPlaceOf(file instanceof ContentFile ? file : { hash: file.hash });
    return known ?? (written.size === 0 ? undefined : written.get(file.hash));
  };
}
