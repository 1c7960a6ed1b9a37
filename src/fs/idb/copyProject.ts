import { limits } from "../../base";
import type { ProjectDatabase } from "./projectDatabase";
import type { KeyedRecord, RecordReader } from "./records";

/**
 * Everything of a project into another that is empty, a slice at a time. What is written to the source meanwhile may be in
 * the copy or not; a disk or log is never torn, because slices are cut by its commits.
 * @throws QuotaError, UnavailableError
 */
export async function copyProject(source: ProjectDatabase, target: ProjectDatabase): Promise<void> {
  // Small records first, all at once, so that heads agree with what they speak of; then contents, which never change.
  const { records, contentKeys } = await source.records.read(async (reader) => {
    const keys = await reader.keys({ prefix: [] });
    const isContent = ([kind]: readonly (string | number)[]) => kind === "b" || kind === "p";
    // A head that is damaged is left behind: the copy has one of its own.
    const isLeft = ([kind]: readonly (string | number)[]) =>
      kind === "reserve" || (kind === "h" && source.trouble?.kind === "damaged");
    const others = keys.filter((key) => !isContent(key) && !isLeft(key));
    return { records: await valuesOf(reader, others), contentKeys: keys.filter(isContent) };
  });
  for (let start = 0; start < contentKeys.length; start += RECORDS_A_SLICE) {
    const slice = contentKeys.slice(start, start + RECORDS_A_SLICE);
    const contents = await source.records.read((reader) => valuesOf(reader, slice));
    await putAll(target, contents);
  }
  await putAll(target, records);
}

/** Contents of about `limits.importBatchBytes` at most: no record is larger than a chunk. */
const RECORDS_A_SLICE = limits.importBatchBytes / limits.chunkBytes;

function valuesOf(reader: RecordReader, keys: readonly (readonly (string | number)[])[]): Promise<KeyedRecord[]> {
  return Promise.all(keys.map(async (key): Promise<KeyedRecord> => [key, await reader.get(key)]));
}

async function putAll(target: ProjectDatabase, records: readonly KeyedRecord[]): Promise<void> {
  await target.records.write(async (writer) => {
    for (const [key, value] of records) if (value !== undefined) writer.put(key, value);
  });
}
