import type { JsonObject } from "../base";
import { checksumOf, DamagedRecordError, type RecordKey, type RecordWriter } from "../fs";

/** A project's settings as they are stored: JSON as text, so that its check sum covers it whole. */
interface DocumentRecord {
  readonly json: string;
  readonly checksum: number;
}

export const DOCUMENT_KEY: RecordKey = ["doc"];
/** Where a damaged record is kept once a new one has to be written in its place. */
const DAMAGED_KEY: RecordKey = ["doc", "damaged"];

/** The settings; `{}` before the first save. Those of earlier versions are the object itself. @throws DamagedRecordError */
export function documentFromRecord(record: unknown): JsonObject {
  if (record === undefined) return {};
  const { checksum, json } = (record ?? {}) as Partial<DocumentRecord>;
  if (typeof json === "string" && checksum === checksumOf(json)) return JSON.parse(json) as JsonObject;
  const isOlder = isObject(record) && json === undefined && checksum === undefined;
  if (!isOlder) throw new DamagedRecordError("the record of this project's settings");
  return record;
}

/** Saves the settings; a damaged record that stands in their place is moved aside, never written over. */
export async function putDocument(writer: RecordWriter, document: JsonObject): Promise<void> {
  const before = await writer.get(DOCUMENT_KEY);
  try {
    documentFromRecord(before);
  } catch (error) {
    if (!(error instanceof DamagedRecordError)) throw error;
    writer.put(DAMAGED_KEY, before);
  }
  const json = JSON.stringify(document);
  const record: DocumentRecord = { json, checksum: checksumOf(json) };
  writer.put(DOCUMENT_KEY, record);
}

function isObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
