import type { FormatFile } from "../importSource";

/** The files of one conversation of a folder. */
export interface V1Folder {
  /** Path of the folder. */
  readonly path: string;
  readonly base?: FormatFile;
  /** In the order of the events. */
  readonly events: readonly FormatFile[];
}

const EVENT_FILE = /(?:^|\/)events\/event-(\d+)-[^/]*\.json$/;
const BASE_FILE = /(?:^|\/)base_state\.json$/;

/** Whether paths are those of conversations as they are stored: a state beside a folder of events. */
export function isV1Folder(paths: readonly string[]): boolean {
  return paths.some((path) => EVENT_FILE.test(path));
}

/** Sorts files into conversations; what belongs to none is left. */
export function v1Folders(files: readonly FormatFile[]): {
  readonly folders: V1Folder[];
  readonly others: FormatFile[];
} {
  const folders = new Map<
    string,
    { path: string; base?: FormatFile; events: { number: number; file: FormatFile }[] }
  >();
  const others: FormatFile[] = [];
  const folderOf = (path: string) => {
    const found = folders.get(path) ?? { path, events: [] };
    folders.set(path, found);
    return found;
  };
  for (const file of files) {
    const event = EVENT_FILE.exec(file.path);
    const path = file.path.replace(EVENT_FILE, "").replace(BASE_FILE, "");
    if (event !== null) folderOf(path).events.push({ number: Number(event[1]), file });
    else if (BASE_FILE.test(file.path)) folderOf(path).base = file;
    else others.push(file);
  }
  const sorted = [...folders.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return {
    others,
    folders: sorted.map(({ path, base, events }) => ({
      path,
      ...(base !== undefined && { base }),
      events: events.toSorted((a, b) => a.number - b.number).map(({ file }) => file),
    })),
  };
}
