import { limits } from "../base";
import type { FileToWrite } from "./fileSystem";

/** An import cut into pieces that are stored whole: a large one is never in memory at once nor lost at once. */
export async function* importBatches(
  files: Iterable<FileToWrite> | AsyncIterable<FileToWrite>,
): AsyncGenerator<FileToWrite[], void, undefined> {
  let batch: FileToWrite[] = [];
  let batchBytes = 0;
  for await (const file of files) {
    batch.push(file);
    batchBytes += file[1].length;
    if (batch.length < limits.importBatchFiles && batchBytes < limits.importBatchBytes) continue;
    yield batch;
    batch = [];
    batchBytes = 0;
  }
  if (batch.length > 0) yield batch;
}
