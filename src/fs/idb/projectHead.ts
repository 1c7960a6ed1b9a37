import { UnavailableError } from "../pathError";
import { DamagedRecordError } from "./damagedRecordError";
import { CLEARED_REASON, NEWER_REASON } from "./databaseConnection";
import type { RecordReader, RecordWriter } from "./records";

/** The number of the layout (docs/storage.md). A project with a higher one is opened to be read only. */
export const STORAGE_SCHEMA = 2;

/** The one record every project has. */
export interface ProjectHead {
  readonly schema: number;
  /** Moved by whatever stores a content or names one, disks apart (they have numbers of their own). */
  readonly epoch: number;
}

const HEAD_KEY = ["h"] as const;

/** @throws UnavailableError when it is not there: the database was emptied; DamagedRecordError */
export async function readProjectHead(reader: RecordReader): Promise<ProjectHead> {
  const head = await reader.get(HEAD_KEY);
  if (head === undefined) throw new UnavailableError("/", CLEARED_REASON);
  return projectHeadFromRecord(head);
}

/** @throws DamagedRecordError */
function projectHeadFromRecord(record: unknown): ProjectHead {
  const { schema, epoch } = (record ?? {}) as Partial<ProjectHead>;
  if (!Number.isInteger(schema) || !Number.isInteger(epoch)) throw new DamagedRecordError("the head of this project");
  return record as ProjectHead;
}

/** @throws UnavailableError when a newer version wrote the project */
export function assertWritable({ schema }: ProjectHead): void {
  if (schema > STORAGE_SCHEMA) throw new UnavailableError("/", NEWER_REASON);
}

export function putProjectHead(writer: RecordWriter, head: ProjectHead): void {
  writer.put(HEAD_KEY, head);
}

/** Says in the same transaction that a content was stored or named, so that a clean-up in another tab starts again. */
export async function bumpEpoch(writer: RecordWriter): Promise<void> {
  const head = await readProjectHead(writer);
  assertWritable(head);
  putProjectHead(writer, { ...head, epoch: head.epoch + 1 });
}
