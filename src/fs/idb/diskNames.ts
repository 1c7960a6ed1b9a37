import { unloadLog } from "./checkpoint";
import type { ProjectDatabase } from "./projectDatabase";
import { bumpEpoch } from "./projectHead";
import type { RecordReader } from "./records";

/** The disks something was written to. */
export async function diskNames(reader: RecordReader): Promise<readonly string[]> {
  const keys = await reader.keys({ prefix: ["d"] });
  return [...new Set(keys.map((key) => String(key[1])))];
}

/** Removes a disk with all it holds; whoever has it open finds it unavailable. */
export async function removeDisk(database: ProjectDatabase, disk: string): Promise<void> {
  await database.writeDeletion(async (writer) => {
    await bumpEpoch(writer);
    await unloadLog(writer, disk);
    writer.deleteAll(["d", disk]);
  });
}
