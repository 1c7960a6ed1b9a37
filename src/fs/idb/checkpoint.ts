import { contentsInRecord, packedRecords, putRecords } from "./contentPacks";
import type { ContentStore } from "./contentStore";
import { checkpointKey, diskHeadKey, diskLogPrefix, recordFromHead, type DiskHead } from "./diskRecords";
import { readDiskHead, type DiskState } from "./diskTree";
import { assertWritable, putProjectHead, readProjectHead, STORAGE_SCHEMA } from "./projectHead";
import type { KeyedRecord, Records, RecordWriter } from "./records";
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
  const image = imageFromTree(state.tree);
  const written = await records.write(async (writer) => {
    const [projectHead, head] = await Promise.all([readProjectHead(writer), readDiskHead(writer, disk)]);
    assertWritable(projectHead);
    const isCurrent = head !== undefined && head.sequence === state.head?.sequence;
    if (!isCurrent || head.checkpointSequence === head.sequence) return undefined;
    const packs = await unloadLog(writer, disk);
    const { sequence, checkpoint } = head;
    const next = { schema: STORAGE_SCHEMA, sequence, checkpoint: checkpoint + 1, checkpointSequence: sequence };
    writer.deleteAll(["d", disk, "c"]);
    writer.put(checkpointKey(disk, next.checkpoint), image);
    writer.put(diskHeadKey(disk), recordFromHead(next));
    if (projectHead.schema < STORAGE_SCHEMA) putProjectHead(writer, { ...projectHead, schema: STORAGE_SCHEMA });
    return { next, packs };
  });
  if (written === undefined) return undefined;
  contents.addPacks(written.packs);
  return written.next;
}

/** Takes a disk's log away; the contents that lay in it are put into packs, because others may name them. */
export async function unloadLog(writer: RecordWriter, disk: string): Promise<readonly KeyedRecord[]> {
  const log = await writer.entries({ prefix: diskLogPrefix(disk) });
  const held = new Map(log.flatMap(contentsInRecord).map((content) => [content.hash, content]));
  const packs = packedRecords(held.values(), timedId());
  putRecords(writer, packs);
  writer.deleteAll(diskLogPrefix(disk));
  return packs;
}
