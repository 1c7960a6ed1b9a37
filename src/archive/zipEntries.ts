import { Inflate } from "fflate";
import { Decompress } from "fzstd";
import { limits } from "../base";
import { refusedEntry, tooLargeEntry, type ArchiveEntries } from "./archiveEntry";
import type { ArchiveError } from "./archiveError";
import { crc32 } from "./crc32";
import { entryNameProblem } from "./entryName";
import { windowedBlob } from "./windowedBlob";
import { brokenEntry, compressedBytesOf, readZipDirectory, type ZipRecord } from "./zipDirectory";

/** Compressed bytes unpacked at a time: keeps each slice of work short even for very dense data. */
const SLICE_BYTES = 16 * 1024;
const STORED = 0;
const DEFLATED = 8;
/** Zstandard (APPNOTE.TXT, 4.4.5): logs of evaluations are packed with it. */
const ZSTANDARD = 93;
const METHODS: readonly number[] = [STORED, DEFLATED, ZSTANDARD];

/** What unpacks a compressed stream slice by slice; fails on data that is damaged. */
interface Unpacker {
  push(chunk: Uint8Array, final: boolean): void;
}

/**
 * The entries of a zip in the order of its table of contents; contents are read only when asked for.
 * @throws ArchiveError `broken-archive`
 */
export async function* zipEntries(zip: Blob | Uint8Array): ArchiveEntries {
  const blob = zip instanceof Blob ? zip : new Blob([zip as Uint8Array<ArrayBuffer>]);
  const read = windowedBlob(blob);
  for (const record of await readZipDirectory(blob)) {
    const problem = entryProblem(record);
    const path = record.name.replace(/\/$/, "");
    if (problem !== undefined) yield { kind: "refused", path: record.name, error: problem };
    else
      yield {
        kind: record.name.endsWith("/") ? "directory" : "file",
        path,
        sizeBytes: record.sizeBytes,
        modifiedAt: record.modifiedAt,
        bytes: () => entryBytes(read, record),
      };
  }
}

function entryProblem(record: ZipRecord): ArchiveError | undefined {
  const refuse = (reason: string) => refusedEntry(record.name, reason);
  const nameProblem = entryNameProblem(record.name);
  if (nameProblem !== undefined) return refuse(nameProblem);
  if (record.symbolicLink) return refuse("it is a symbolic link");
  if (record.encrypted) return refuse("it is encrypted");
  if (!METHODS.includes(record.method)) return refuse("its compression method is not supported");
  if (record.sizeBytes > limits.importFileBytes) return tooLargeEntry(record.name);
  return undefined;
}

async function entryBytes(read: ReturnType<typeof windowedBlob>, record: ZipRecord): Promise<Uint8Array> {
  const compressed = await compressedBytesOf(read, record);
  const bytes = record.method === STORED ? compressed : await unpacked(compressed, record);
  if (bytes.length !== record.sizeBytes || crc32(bytes) !== record.crc) throw brokenEntry(record);
  return bytes;
}

/** Unpacks into a buffer of the declared size; data that says one size and holds more is damaged, not larger. */
async function unpacked(compressed: Uint8Array, record: ZipRecord): Promise<Uint8Array> {
  const bytes = new Uint8Array(record.sizeBytes);
  let length = 0;
  const take = (chunk: Uint8Array) => {
    if (length + chunk.length > bytes.length) throw brokenEntry(record);
    bytes.set(chunk, length);
    length += chunk.length;
  };
  const stream: Unpacker = record.method === ZSTANDARD ? new Decompress(take) : new Inflate(take);
  try {
    for (let at = 0; at < compressed.length; at += SLICE_BYTES) {
      stream.push(compressed.subarray(at, at + SLICE_BYTES), at + SLICE_BYTES >= compressed.length);
      if (at > 0 && at % (16 * SLICE_BYTES) === 0) await new Promise((resolve) => setTimeout(resolve));
    }
  } catch {
    throw brokenEntry(record);
  }
  return bytes.subarray(0, length);
}
