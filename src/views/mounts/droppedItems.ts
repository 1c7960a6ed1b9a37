import { zipItems, type ImportItem, type ImportSource } from "../../store";

type Dropped = FileSystemEntry | File;

/** What was dropped, to be imported. Must be called inside the event: the browser empties the data afterwards. */
export function sourceFromDrop(data: DataTransfer): ImportSource | undefined {
  const dropped = [...data.items].flatMap((item): Dropped[] => {
    if (item.kind !== "file") return [];
    const entry = item.webkitGetAsEntry() ?? item.getAsFile();
    return entry ? [entry] : [];
  });
  return dropped.length === 0 ? undefined : { label: labelOf(dropped), items: itemsOf(dropped) };
}

/** Files chosen with the browser's own dialog; those of a folder carry their path. */
export function sourceFromFiles(files: readonly File[]): ImportSource | undefined {
  if (files.length === 0) return undefined;
  const isZip = files.some(isZipFile);
  return { label: labelOf(files), items: itemsOf(files), ...(isZip ? {} : { total: files.length }) };
}

function labelOf(dropped: readonly { readonly name: string }[]): string {
  return dropped.length === 1 ? (dropped[0]?.name ?? "") : `${dropped.length.toLocaleString("en")} entries`;
}

function isZipFile(file: File): boolean {
  return /\.zip$/i.test(file.name) && file.webkitRelativePath === "";
}

async function* itemsOf(dropped: readonly Dropped[]): AsyncGenerator<ImportItem> {
  for (const one of dropped) {
    if (one instanceof File) yield* itemsOfFile(one, one.webkitRelativePath || one.name);
    else yield* itemsOfEntry(one, "", true);
  }
}

/** A zip is unpacked where it is dropped; any other file is taken as it is. */
async function* itemsOfFile(file: File, path: string): AsyncGenerator<ImportItem> {
  if (!isZipFile(file)) {
    yield { kind: "file", path, sizeBytes: file.size, bytes: async () => new Uint8Array(await file.arrayBuffer()) };
    return;
  }
  try {
    yield* zipItems(file);
  } catch (error) {
    yield { kind: "refused", path, reason: `“${path}” cannot be unpacked: ${words(error)}` };
  }
}

async function* itemsOfEntry(entry: FileSystemEntry, parent: string, isTop: boolean): AsyncGenerator<ImportItem> {
  const path = parent + entry.name;
  try {
    if (entry.isFile) {
      const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
      if (isTop) yield* itemsOfFile(file, path);
      else
        yield { kind: "file", path, sizeBytes: file.size, bytes: async () => new Uint8Array(await file.arrayBuffer()) };
    } else if (entry.isDirectory) {
      yield { kind: "directory", path };
      const reader = (entry as FileSystemDirectoryEntry).createReader();
      // A directory is read in portions; an empty one is the last.
      for (;;) {
        const portion = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
        if (portion.length === 0) break;
        for (const inner of portion) yield* itemsOfEntry(inner, `${path}/`, false);
      }
    }
  } catch (error) {
    const what = entry.isDirectory ? "folder" : "file";
    yield { kind: "refused", path, reason: `The ${what} “${path}” cannot be read (${words(error)}); the rest goes on` };
  }
}

function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
