import { limits } from "../../base";
import {
  checkpointKey,
  diskHeadKey,
  recordFromSteps,
  type DiskHead,
  type DiskStep,
  type StepsRecord,
} from "./diskRecords";
import { readDiskHead, stepsOfTree, type DiskState } from "./diskTree";
import { assertWritable, readProjectHead } from "./projectHead";
import type { Records } from "./records";

/**
 * Writes the disk's tree whole and drops the log it makes needless, in one transaction.
 * @returns the new head, or `undefined` when somebody committed in between or did it already: then it is for later
 */
export async function writeCheckpoint(records: Records, disk: string, state: DiskState): Promise<DiskHead | undefined> {
  const chunks = checkpointChunks(state);
  return records.write(async (writer) => {
    const [projectHead, head] = await Promise.all([readProjectHead(writer), readDiskHead(writer, disk)]);
    assertWritable(projectHead);
    const isCurrent = head !== undefined && head.sequence === state.head?.sequence;
    if (!isCurrent || head.checkpointSequence === head.sequence) return undefined;
    const generation = head.checkpoint + 1;
    writer.deleteAll(["d", disk, "l"]);
    writer.deleteAll(["d", disk, "c"]);
    for (const [chunk, record] of chunks.entries()) writer.put(checkpointKey(disk, generation, chunk), record);
    const next: DiskHead = { ...head, checkpoint: generation, checkpointSequence: head.sequence, logSize: 0 };
    writer.put(diskHeadKey(disk), next);
    return next;
  });
}

function checkpointChunks({ tree }: DiskState): StepsRecord[] {
  const chunks: StepsRecord[] = [];
  let steps: DiskStep[] = [];
  for (const step of stepsOfTree(tree)) {
    steps.push(step);
    if (steps.length < limits.checkpointEntries) continue;
    chunks.push(recordFromSteps(steps));
    steps = [];
  }
  if (steps.length > 0) chunks.push(recordFromSteps(steps));
  return chunks;
}
