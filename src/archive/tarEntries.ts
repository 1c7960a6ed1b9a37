import { limits } from "../base";
import { refusedEntry, tooLargeEntry, type ArchiveEntries, type ArchiveEntry, type RefusedEntry } from "./archiveEntry";
import { ArchiveError } from "./archiveError";
import { blobReader, chunkReader, type ByteReader } from "./byteReader";
import { entryNameProblem } from "./entryName";
import { gunzippedChunks, isGzip } from "./gunzippedChunks";
import { isEmptyBlock, paxFields, TAR_BLOCK_BYTES, tarHeader, textAt, type TarHeader } from "./tarHeader";

/** Why entries of other types than files and directories are not taken. */
const REFUSED_TYPES: Readonly<Record<string, string>> = {
  "1": "it is a link",
  "2": "it is a symbolic link",
  "3": "it is a device",
  "4": "it is a device",
  "6": "it is a pipe",
  S: "it is a sparse file",
};

/**
 * The entries of a tar, packed with gzip or not, in their order (ustar, pax and GNU names). Of a plain one contents are read
 * only when asked for; of a packed one each entry's contents are in memory for as long as the entry is held.
 * @throws ArchiveError `broken-archive`, after the whole entries of one that was cut off; `too-large`
 */
export async function* tarEntries(tar: Blob | Uint8Array): ArchiveEntries {
  const blob = tar instanceof Blob ? tar : new Blob([tar as Uint8Array<ArrayBuffer>]);
  const start = new Uint8Array(await blob.slice(0, 3).arrayBuffer());
  const reader = isGzip(start) ? chunkReader(cappedChunks(gunzippedChunks(blob))) : blobReader(blob);
  try {
    yield* entriesOf(reader);
    // What follows the end says nothing, but the checksum of all comes after it.
    await reader.skip(Infinity);
  } finally {
    await reader.close();
  }
}

/** A small file can unpack to no end. */
async function* cappedChunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  let total = 0;
  for await (const chunk of chunks) {
    total += chunk.length;
    if (total > limits.importTotalBytes) {
      const megabytes = Math.round(limits.importTotalBytes / 2 ** 20);
      throw new ArchiveError("too-large", `The archive was not read to its end: it unpacks to over ${megabytes} MB`);
    }
    yield chunk;
  }
}

/** What records before an entry say of it, in place of its own header. */
interface Said {
  readonly path?: string | undefined;
  readonly sizeBytes?: number | undefined;
  readonly modifiedAt?: number | undefined;
  readonly isSparse?: boolean;
}

async function* entriesOf(reader: ByteReader): ArchiveEntries {
  let lasting: Said = {};
  let next: Said = {};
  for (let isFirst = true; ; isFirst = false) {
    const block = await reader.next(TAR_BLOCK_BYTES);
    if (!isFirst && (block.length === 0 || isEmptyBlock(block))) return;
    const header = tarHeader(block);
    if (header === undefined) throw brokenTar();
    if (header.type === "g") lasting = { ...lasting, ...saidByPax(await record(reader, header)) };
    else if (header.type === "x") next = { ...next, ...saidByPax(await record(reader, header)) };
    else if (header.type === "L") next = { ...next, path: nameOf(await record(reader, header)) };
    else if (header.type === "K") await record(reader, header);
    else {
      const entry = await entryOf(reader, header, { ...lasting, ...next });
      next = {};
      if (entry !== undefined) yield entry;
    }
  }
}

/** The entry of a header; none for the root of all others. Leaves the reader at the next header. */
async function entryOf(
  reader: ByteReader,
  header: TarHeader,
  said: Said,
): Promise<ArchiveEntry | RefusedEntry | undefined> {
  // `tar c .` writes all names with `./` before them, and `./` itself.
  const name = (said.path ?? header.name).replace(/^(?:\.\/+)+/, "").replace(/^\.$/, "");
  const type = header.type === "0" && name.endsWith("/") ? "5" : header.type;
  const path = name.replace(/\/+$/, "");
  const sizeBytes = type === "0" ? (said.sizeBytes ?? header.sizeBytes) : header.sizeBytes;
  const padding = -sizeBytes & (TAR_BLOCK_BYTES - 1);
  const modifiedAt = said.modifiedAt ?? header.modifiedAt;
  const problem = name === "" && type === "5" ? undefined : entryProblem(name, path, type, sizeBytes, said);
  if (type !== "0" || problem !== undefined) {
    // Links have a size in some archives, and no contents.
    const hasContents = type !== "1" && type !== "2" && type !== "5";
    if (hasContents && !(await reader.skip(sizeBytes + padding))) throw brokenTar();
    if (problem !== undefined) return { kind: "refused", path: name, error: problem };
    if (name === "") return undefined;
    return { kind: "directory", path, sizeBytes: 0, modifiedAt, bytes: () => Promise.resolve(new Uint8Array()) };
  }
  const bytes = await reader.later(sizeBytes);
  if (bytes === undefined) throw brokenTar();
  // The last padding is left out by some.
  await reader.skip(padding);
  return { kind: "file", path, sizeBytes, modifiedAt, bytes };
}

function entryProblem(
  name: string,
  path: string,
  type: string,
  sizeBytes: number,
  { isSparse = false }: Said,
): ArchiveError | undefined {
  const nameProblem = entryNameProblem(path);
  if (nameProblem !== undefined) return refusedEntry(name, nameProblem);
  if (isSparse) return refusedEntry(name, REFUSED_TYPES["S"] ?? "");
  if (type !== "0" && type !== "5") return refusedEntry(name, REFUSED_TYPES[type] ?? "its type is not known");
  return sizeBytes > limits.importFileBytes ? tooLargeEntry(name) : undefined;
}

/** The contents of a record that speaks of the next entry. */
async function record(reader: ByteReader, { sizeBytes }: TarHeader): Promise<Uint8Array> {
  if (sizeBytes > limits.tarRecordBytes) throw brokenTar();
  const bytes = await reader.next(sizeBytes);
  if (bytes.length < sizeBytes || !(await reader.skip(-sizeBytes & (TAR_BLOCK_BYTES - 1)))) throw brokenTar();
  return bytes;
}

function nameOf(bytes: Uint8Array): string {
  return textAt(bytes, 0, bytes.length);
}

function saidByPax(bytes: Uint8Array): Said {
  const fields = paxFields(bytes);
  const sizeBytes = Number(fields.get("size") ?? NaN);
  const seconds = Number(fields.get("mtime") ?? NaN);
  return {
    ...(fields.has("path") && { path: fields.get("path") }),
    ...(Number.isSafeInteger(sizeBytes) && sizeBytes >= 0 && { sizeBytes }),
    ...(Number.isFinite(seconds) && { modifiedAt: Math.round(seconds * 1000) }),
    ...([...fields.keys()].some((key) => key.startsWith("GNU.sparse.")) && { isSparse: true }),
  };
}

function brokenTar(): ArchiveError {
  return new ArchiveError("broken-archive", "The file is no tar archive, or it is damaged or was cut off");
}
