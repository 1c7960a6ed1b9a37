import { ArchiveError, zipEntries } from "../../archive";
import { sha256Hex } from "../../base";
import { sha256HexOfBlob } from "./blobHash";
import type { FormatFile, ImportSource } from "./importSource";

/** What is imported, unpacked, and the hash of all of it. */
export interface SourceFiles {
  readonly files: readonly FormatFile[];
  readonly sha256: string;
  readonly totalBytes: number;
  /** Archives by the folder their entries stand for, `""` where one is all there is. */
  readonly archives: ReadonlyMap<string, FormatFile>;
  /** What of archives is not taken, with the reason. */
  readonly refused: readonly { readonly path: string; readonly reason: string }[];
}

/** @throws ArchiveError `broken-archive` when one archive is all there is */
export async function sourceFiles(source: ImportSource): Promise<SourceFiles> {
  const isOne = source.files.length === 1;
  const files: FormatFile[] = [];
  const archives = new Map<string, FormatFile>();
  const refused: { path: string; reason: string }[] = [];
  const hashes: string[] = [];
  for (const { path, blob } of source.files) {
    const hash = await sha256HexOfBlob(blob);
    hashes.push(isOne ? hash : `${hash}  ${path}\n`);
    const file = { path, sizeBytes: blob.size, open: async () => blob };
    if (!(await isZip(blob))) {
      files.push(file);
      continue;
    }
    const folder = isOne ? "" : path;
    try {
      const inside = await unpacked(blob, folder === "" ? "" : `${folder}/`);
      files.push(...inside.files);
      refused.push(...inside.refused);
      archives.set(folder, file);
    } catch (error) {
      if (isOne || !isBrokenArchive(error)) throw error;
      refused.push({ path, reason: error.message });
    }
  }
  const [only = ""] = hashes;
  const sha256 = isOne ? only : await sha256Hex(hashes.toSorted().join(""));
  return { files, sha256, totalBytes: files.reduce((sum, file) => sum + file.sizeBytes, 0), archives, refused };
}

async function isZip(blob: Blob): Promise<boolean> {
  const [a, b, c] = new Uint8Array(await blob.slice(0, 4).arrayBuffer());
  // PK and the number of a record: of an entry, or of the end of an empty archive.
  return a === 0x50 && b === 0x4b && (c === 3 || c === 5);
}

async function unpacked(blob: Blob, prefix: string): Promise<Pick<SourceFiles, "files" | "refused">> {
  const files: FormatFile[] = [];
  const refused: { path: string; reason: string }[] = [];
  for await (const entry of zipEntries(blob)) {
    if (entry.kind === "refused") refused.push({ path: `${prefix}${entry.path}`, reason: entry.error.message });
    else if (entry.kind === "file") {
      const { sizeBytes } = entry;
      files.push({
        path: `${prefix}${entry.path}`,
        sizeBytes,
        open: async () => new Blob([(await entry.bytes()) as Uint8Array<ArrayBuffer>]),
      });
    }
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, refused };
}

/** Whether an error is about an archive that cannot be read at all. */
export function isBrokenArchive(error: unknown): error is ArchiveError {
  return error instanceof ArchiveError;
}
