import { ArchiveError, zipEntries } from "../../archive";
import { sha256Hex } from "../../base";
import { sha256HexOfBlob } from "./blobHash";
import type { FormatFile, ImportSource } from "./importSource";

/** What is imported, unpacked, and the hash of all of it. */
export interface SourceFiles {
  readonly files: readonly FormatFile[];
  readonly sha256: string;
  readonly totalBytes: number;
  /** The archive it was in, for formats that are archives themselves. */
  readonly archive?: FormatFile;
  /** Entries of the archive that are not taken, with the reason. */
  readonly refused: readonly { readonly path: string; readonly reason: string }[];
}

/** @throws ArchiveError `broken-archive` */
export async function sourceFiles(source: ImportSource): Promise<SourceFiles> {
  const files = source.files.map(({ path, blob }) => ({ path, sizeBytes: blob.size, open: async () => blob }));
  const [first] = source.files;
  const totalBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
  if (files.length === 1 && first !== undefined) {
    const sha256 = await sha256HexOfBlob(first.blob);
    const archive = files[0];
    if (archive !== undefined && (await isZip(first.blob))) {
      return { ...(await unpacked(first.blob)), sha256, archive };
    }
    return { files, sha256, totalBytes, refused: [] };
  }
  const hashes: string[] = [];
  for (const { path, blob } of source.files) hashes.push(`${await sha256HexOfBlob(blob)}  ${path}\n`);
  return { files, sha256: await sha256Hex(hashes.toSorted().join("")), totalBytes, refused: [] };
}

async function isZip(blob: Blob): Promise<boolean> {
  const [a, b, c] = new Uint8Array(await blob.slice(0, 4).arrayBuffer());
  // PK and the number of a record: of an entry, or of the end of an empty archive.
  return a === 0x50 && b === 0x4b && (c === 3 || c === 5);
}

async function unpacked(blob: Blob): Promise<Pick<SourceFiles, "files" | "totalBytes" | "refused">> {
  const files: FormatFile[] = [];
  const refused: { path: string; reason: string }[] = [];
  for await (const entry of zipEntries(blob)) {
    if (entry.kind === "refused") refused.push({ path: entry.path, reason: entry.error.message });
    else if (entry.kind === "file") {
      const { path, sizeBytes } = entry;
      files.push({ path, sizeBytes, open: async () => new Blob([(await entry.bytes()) as Uint8Array<ArrayBuffer>]) });
    }
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, totalBytes: files.reduce((sum, file) => sum + file.sizeBytes, 0), refused };
}

/** Whether an error is about an archive that cannot be read at all. */
export function isBrokenArchive(error: unknown): error is ArchiveError {
  return error instanceof ArchiveError;
}
