import { limits, nextTask } from "../base";
import { ArchiveError } from "./archiveError";

/** One line of a zip's central directory (APPNOTE.TXT, 4.3.12). */
export interface ZipRecord {
  readonly name: string;
  readonly method: number;
  readonly encrypted: boolean;
  readonly symbolicLink: boolean;
  readonly crc: number;
  readonly compressedBytes: number;
  readonly sizeBytes: number;
  /** Milliseconds since 1970; DOS times carry no zone and are read as UTC. */
  readonly modifiedAt: number;
  /** Where its local header begins. */
  readonly offset: number;
}

const END_SIGNATURE = 0x06054b50;
const END_64_LOCATOR_SIGNATURE = 0x07064b50;
const END_64_SIGNATURE = 0x06064b50;
const RECORD_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;
/** The end record is 22 bytes and a comment of at most 65,535; the 64-bit locator before it is 20. */
const END_SEARCH_BYTES = 22 + 65_535 + 20;
const MISSING_32 = 0xffffffff;

/** Reads a zip's table of contents. @throws ArchiveError `broken-archive` when there is none to read */
export async function readZipDirectory(zip: Blob): Promise<ZipRecord[]> {
  const { offset, sizeBytes, entries } = await findDirectory(zip);
  if (offset + sizeBytes > zip.size) throw brokenDirectory();
  const view = viewOf(await bytesAt(zip, offset, sizeBytes));
  const records: ZipRecord[] = [];
  let at = 0;
  let began = performance.now();
  while (at + 46 <= view.byteLength && view.getUint32(at, true) === RECORD_SIGNATURE) {
    const length = 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (at + length > view.byteLength) throw brokenDirectory();
    records.push(zipRecord(view, at));
    at += length;
    if (records.length % 500 !== 0 || performance.now() - began < limits.workSliceMs) continue;
    await nextTask();
    began = performance.now();
  }
  if (records.length < entries) throw brokenDirectory();
  return records;
}

/** The compressed bytes of one entry. @throws ArchiveError `broken-entry` */
export async function compressedBytesOf(
  read: (start: number, length: number) => Promise<Uint8Array>,
  record: ZipRecord,
): Promise<Uint8Array> {
  const header = viewOf(await read(record.offset, 30));
  if (header.byteLength < 30 || header.getUint32(0, true) !== LOCAL_SIGNATURE) throw brokenEntry(record);
  const start = record.offset + 30 + header.getUint16(26, true) + header.getUint16(28, true);
  const bytes = await read(start, record.compressedBytes);
  if (bytes.length < record.compressedBytes) throw brokenEntry(record);
  return bytes;
}

export function brokenEntry(record: ZipRecord): ArchiveError {
  return new ArchiveError("broken-entry", `“${record.name}” is damaged in the archive and was left out`, record.name);
}

async function findDirectory(zip: Blob): Promise<{ offset: number; sizeBytes: number; entries: number }> {
  const tailStart = Math.max(0, zip.size - END_SEARCH_BYTES);
  const tail = viewOf(await bytesAt(zip, tailStart, zip.size - tailStart));
  for (let at = tail.byteLength - 22; at >= 0; at--) {
    if (tail.getUint32(at, true) !== END_SIGNATURE) continue;
    const entries = tail.getUint16(at + 10, true);
    const sizeBytes = tail.getUint32(at + 12, true);
    const offset = tail.getUint32(at + 16, true);
    const needs64 = entries === 0xffff || sizeBytes === MISSING_32 || offset === MISSING_32;
    if (needs64 && at >= 20 && tail.getUint32(at - 20, true) === END_64_LOCATOR_SIGNATURE) {
      return findDirectory64(zip, Number(tail.getBigUint64(at - 12, true)));
    }
    return { offset, sizeBytes, entries };
  }
  throw brokenDirectory();
}

async function findDirectory64(zip: Blob, at: number): Promise<{ offset: number; sizeBytes: number; entries: number }> {
  const view = viewOf(await bytesAt(zip, at, 56));
  if (view.byteLength < 56 || view.getUint32(0, true) !== END_64_SIGNATURE) throw brokenDirectory();
  return {
    entries: Number(view.getBigUint64(32, true)),
    sizeBytes: Number(view.getBigUint64(40, true)),
    offset: Number(view.getBigUint64(48, true)),
  };
}

function zipRecord(view: DataView, at: number): ZipRecord {
  const flags = view.getUint16(at + 8, true);
  const nameLength = view.getUint16(at + 28, true);
  const unixMode = view.getUint32(at + 38, true) >>> 16;
  const wide = wideFields(view, at + 46 + nameLength, view.getUint16(at + 30, true));
  // Each is in the 64-bit field only when the 32-bit one is all ones, in this order.
  const sizeBytes = wide(view.getUint32(at + 24, true));
  const compressedBytes = wide(view.getUint32(at + 20, true));
  const offset = wide(view.getUint32(at + 42, true));
  return {
    name: decodeName(new Uint8Array(view.buffer, view.byteOffset + at + 46, nameLength)),
    method: view.getUint16(at + 10, true),
    encrypted: (flags & 1) === 1,
    symbolicLink: (unixMode & 0xf000) === 0xa000,
    crc: view.getUint32(at + 16, true),
    compressedBytes,
    sizeBytes,
    modifiedAt: timeFromDos(view.getUint16(at + 14, true), view.getUint16(at + 12, true)),
    offset,
  };
}

function wideFields(view: DataView, extraAt: number, extraLength: number): (narrow: number) => number {
  let at = extraAt;
  const end = extraAt + extraLength;
  while (at + 4 <= end && view.getUint16(at, true) !== 1) at += 4 + view.getUint16(at + 2, true);
  at += 4;
  return (narrow) => {
    if (narrow !== MISSING_32 || at + 8 > end) return narrow;
    at += 8;
    return Number(view.getBigUint64(at - 8, true));
  };
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const latin1 = new TextDecoder("latin1");

/** UTF-8 where the bytes are, whatever the flag says (many writers forget it), else Latin-1. */
function decodeName(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return latin1.decode(bytes);
  }
}

function timeFromDos(date: number, time: number): number {
  return Date.UTC(1980 + (date >> 9), ((date >> 5) & 15) - 1, date & 31, time >> 11, (time >> 5) & 63, (time & 31) * 2);
}

async function bytesAt(blob: Blob, offset: number, length: number): Promise<Uint8Array> {
  return new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer());
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function brokenDirectory(): ArchiveError {
  return new ArchiveError(
    "broken-archive",
    "The file is no zip archive, or it was cut off: its table of contents is missing",
  );
}
