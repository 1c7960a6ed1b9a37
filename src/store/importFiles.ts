import type { ArchiveEntries, ArchiveEntry } from "../archive";
import { limits } from "../base";
import { joinFsPath, PathError, type EditableFileSystem, type FileToWrite } from "../fs";
import { messageFromError } from "./messageFromError";
import { importNameProblem } from "./mountRules";

/** One thing to import: a file, a directory that may be empty, or something that cannot be read. */
export type ImportItem =
  | { readonly kind: "file"; readonly path: string; readonly sizeBytes: number; bytes(): Promise<Uint8Array> }
  | { readonly kind: "directory"; readonly path: string }
  | { readonly kind: "refused"; readonly path: string; readonly reason: string };

export interface ImportSource {
  /** What is imported, for a person: `repo.zip`, `3 files`. */
  readonly label: string;
  /** Paths relative to where it is imported. */
  readonly items: Iterable<ImportItem> | AsyncIterable<ImportItem>;
  /** How many items there are, where that is known. */
  readonly total?: number;
}

export interface ImportProgress {
  readonly label: string;
  /** The directory it goes into. */
  readonly target: string;
  readonly files: number;
  readonly bytes: number;
  readonly total: number | undefined;
}

export interface ImportReport {
  readonly files: number;
  readonly bytes: number;
  /** A sentence for each entry that was left out. */
  readonly refused: readonly string[];
  readonly stopped: boolean;
  /** Why the rest was not imported. */
  readonly failure?: string;
}

/** Milliseconds of work after which the thread is given free. */
const SLICE_MS = 20;

/**
 * Writes what it is given below `target`, in slices that leave the thread free. One entry that is not taken costs
 * itself only; a failing store ends the import and keeps what was stored. Never throws.
 */
export async function importFiles(options: {
  readonly tree: EditableFileSystem;
  readonly target: string;
  readonly source: ImportSource;
  readonly signal: AbortSignal;
  readonly progress: (progress: ImportProgress) => void;
}): Promise<ImportReport> {
  const { tree, target, source, signal, progress } = options;
  const refused: string[] = [];
  const directories: string[] = [];
  let files = 0;
  let bytes = 0;
  let sliceBegan = performance.now();

  async function* filesToWrite(): AsyncGenerator<FileToWrite> {
    for await (const item of source.items) {
      if (signal.aborted) return;
      const problem = itemProblem(item, files, bytes);
      if (problem) refused.push(problem);
      else if (item.kind === "directory") directories.push(joinFsPath(target, item.path));
      else if (item.kind === "file") {
        const contents = await bytesOf(item, refused);
        if (contents) {
          files++;
          bytes += contents.length;
          yield [joinFsPath(target, item.path), contents];
        }
      }
      if (performance.now() - sliceBegan > SLICE_MS) {
        progress({ label: source.label, target, files, bytes, total: source.total });
        await new Promise((resolve) => setTimeout(resolve, 0));
        sliceBegan = performance.now();
      }
    }
  }

  try {
    await tree.writeMany(filesToWrite());
    if (!signal.aborted) for (const directory of directories) await makeMissing(tree, directory);
    return { files, bytes, refused, stopped: signal.aborted };
  } catch (error) {
    return { files, bytes, refused, stopped: signal.aborted, failure: messageFromError(error) };
  }
}

/** The entries of a zip as items to import. A broken archive throws when it is first asked. @throws ArchiveError */
export async function* itemsFromZip(zip: Blob): AsyncGenerator<ImportItem> {
  const { zipEntries } = await import("./zipTools");
  yield* itemsFromEntries(zipEntries(zip));
}

/** The entries of an archive or a source as items to import. @throws what the entries throw */
export async function* itemsFromEntries(entries: ArchiveEntries): AsyncGenerator<ImportItem> {
  for await (const entry of entries) {
    if (entry.kind === "refused") yield { kind: "refused", path: entry.path, reason: entry.error.message };
    else yield itemFromArchive(entry);
  }
}

function itemFromArchive(entry: ArchiveEntry): ImportItem {
  return entry.kind === "directory"
    ? { kind: "directory", path: entry.path }
    : { kind: "file", path: entry.path, sizeBytes: entry.sizeBytes, bytes: () => entry.bytes() };
}

function itemProblem(item: ImportItem, files: number, bytes: number): string | undefined {
  if (item.kind === "refused") return item.reason;
  const problem = importNameProblem(item.path);
  if (problem) return `“${item.path}” was left out: ${problem}`;
  if (item.kind === "directory") return undefined;
  if (item.sizeBytes > limits.importFileBytes) {
    return `“${item.path}” was left out: it has ${megabytes(item.sizeBytes)}, and a file may have ${megabytes(limits.importFileBytes)}`;
  }
  if (files >= limits.importFiles) return `“${item.path}” was left out: an import may have ${limits.importFiles} files`;
  if (bytes + item.sizeBytes > limits.importTotalBytes) {
    return `“${item.path}” was left out: an import may have ${megabytes(limits.importTotalBytes)} in all`;
  }
  return undefined;
}

async function bytesOf(item: ImportItem & { kind: "file" }, refused: string[]): Promise<Uint8Array | undefined> {
  try {
    return await item.bytes();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    refused.push(reason.includes(item.path) ? reason : `“${item.path}” was left out: it cannot be read (${reason})`);
    return undefined;
  }
}

async function makeMissing(tree: EditableFileSystem, directory: string): Promise<void> {
  const { kind } = await tree.stat(directory);
  if (kind !== "missing") return;
  try {
    await tree.makeDirectory(directory);
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
  }
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / (1024 * 1024))} MB`;
}
