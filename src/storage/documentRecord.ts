import type { JsonObject } from "../base";
import { checksumOf, DamagedRecordError, type RecordKey, type RecordReader, type RecordWriter } from "../fs";

/** A project's settings as they are stored: JSON as text, so that its check sum covers it whole. */
interface DocumentRecord {
  readonly json: string;
  readonly checksum: number;
}

const DOCUMENT_KEY: RecordKey = ["doc"];
const SETTINGS_WORDS = "the record of this project's settings";
/** Where a damaged record is kept once a new one has to be written in its place. */
const DAMAGED_KEY: RecordKey = ["doc", "damaged"];

/** The settings; `{}` of a project that has nothing yet. @throws DamagedRecordError */
export async function readDocument(reader: RecordReader): Promise<JsonObject> {
  const record = await reader.get(DOCUMENT_KEY);
  const settings = record === undefined ? {} : documentFromRecord(record);
  if (Object.keys(settings).length > 0) return settings;
  const others = await Promise.all(["d", "s"].map((kind) => reader.keys({ prefix: [kind], limit: 1 })));
  if (others.flat().length > 0) throw new DamagedRecordError(SETTINGS_WORDS);
  return {};
}

/** Those of earlier versions are the object itself. @throws DamagedRecordError */
function documentFromRecord(record: unknown): JsonObject {
  const { checksum, json } = (record ?? {}) as Partial<DocumentRecord>;
  if (typeof json === "string" && checksum === checksumOf(json)) return JSON.parse(json) as JsonObject;
  const isOlder = isObject(record) && json === undefined && checksum === undefined;
  if (!isOlder) throw new DamagedRecordError(SETTINGS_WORDS);
  return record;
}

/** Saves the settings; a damaged record that stands in their place is moved aside, never written over. */
export async function putDocument(writer: RecordWriter, document: JsonObject): Promise<void> {
  const before = await writer.get(DOCUMENT_KEY);
  try {
    if (before !== undefined) documentFromRecord(before);
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
