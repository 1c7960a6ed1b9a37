import { limits } from "../../base";
import type { SessionSource } from "../../store";

type SourceFile = SessionSource["files"][number];

/**
 * What was dropped, to be imported: each file on its own; with a folder among it all of it at once, since its files belong
 * together. Must be called inside the event: the browser empties the data afterwards.
 */
export function sourcesFromDrop(data: DataTransfer): Promise<readonly SessionSource[]> {
  const dropped = [...data.items].flatMap((item): (FileSystemEntry | File)[] => {
    if (item.kind !== "file") return [];
    const entry = item.webkitGetAsEntry() ?? item.getAsFile();
    return entry === null ? [] : [entry];
  });
  return sourcesOf(dropped);
}

async function sourcesOf(dropped: readonly (FileSystemEntry | File)[]): Promise<readonly SessionSource[]> {
  const files: SourceFile[] = [];
  for (const each of dropped) {
    if (each instanceof File) files.push({ path: each.name, blob: each });
    else for await (const file of filesOf(each, "")) if (files.length < limits.importFiles) files.push(file);
  }
  const folder = dropped.find((each) => !(each instanceof File) && each.isDirectory);
  if (folder !== undefined) return [{ name: folder.name, files }];
  return files.map((file) => ({ name: file.path, files: [file] }));
}

/** Files of a folder chosen with the browser's own dialog: they carry their paths. */
export function sourceFromFolder(chosen: readonly File[]): SessionSource | undefined {
  const [first] = chosen;
  if (first === undefined) return undefined;
  const name = first.webkitRelativePath.split("/")[0] ?? first.name;
  return { name, files: chosen.map((file) => ({ path: file.webkitRelativePath || file.name, blob: file })) };
}

/** A folder that cannot be read gives what it gives: the import says what is missing to it. */
async function* filesOf(entry: FileSystemEntry, parent: string): AsyncGenerator<SourceFile> {
  const path = parent + entry.name;
  try {
    if (entry.isFile) {
      yield { path, blob: await new Promise<File>((done, fail) => (entry as FileSystemFileEntry).file(done, fail)) };
      return;
    }
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    // A directory is read in portions; an empty one is the last.
    for (;;) {
      const portion = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail));
      if (portion.length === 0) return;
      for (const inside of portion) yield* filesOf(inside, `${path}/`);
    }
  } catch {
    return;
  }
}
