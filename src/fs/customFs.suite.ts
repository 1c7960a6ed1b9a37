import type { DirEntry, FileSystem, GrepResult, SearchResult } from "./fileSystem";
import { globMatcher } from "./globMatcher";
import { ancestorPaths, isUnder, normalizeFsPath } from "./path";
import { FileNotFoundError, NotADirectoryError, NotAFileError } from "./pathError";

/**
 * A tree as an author would write one: the verbs and nothing else, over a map. No snapshots, no editing of directories,
 * text only; its search finds nothing.
 */
export function customFs(files: Readonly<Record<string, string | Uint8Array>> = {}): FileSystem {
  const contents = new Map(Object.entries(files));
  const kind = (path: string): DirEntry["kind"] | "missing" => {
    if (contents.has(path)) return "file";
    return path === "/" || [...contents.keys()].some((other) => isUnder(other, path)) ? "directory" : "missing";
  };
  const existing = (asked: string): string => {
    const path = normalizeFsPath(asked);
    if (kind(path) === "missing") throw new FileNotFoundError(path);
    if (kind(path) === "directory") throw new NotAFileError(path);
    return path;
  };
  const tree: FileSystem = {
    async *list(prefix = "/") {
      const scope = normalizeFsPath(prefix);
      const paths = new Set([...contents.keys()].flatMap((path) => [...ancestorPaths(path), path]));
      for (const path of [...paths].toSorted()) {
        if (path !== scope && isUnder(path, scope)) yield { path, kind: contents.has(path) ? "file" : "directory" };
      }
    },
    stat: async (path) => ({ kind: kind(normalizeFsPath(path)) }),
    async *glob(pattern, dir = "/") {
      const scope = normalizeFsPath(dir);
      const matches = globMatcher(pattern);
      for await (const entry of tree.list(scope)) {
        if (entry.kind === "file" && matches(entry.path.slice(scope === "/" ? 1 : scope.length + 1))) yield entry;
      }
    },
    read: async (path) => contents.get(existing(path)) ?? "",
    async *grep({ pattern, path = "/", maxResults = Infinity }): AsyncGenerator<GrepResult> {
      let left = maxResults;
      for (const file of [...contents.keys()].toSorted().filter((each) => isUnder(each, normalizeFsPath(path)))) {
        const lines = String(contents.get(file)).split("\n");
        for (const [index, line] of lines.entries()) {
          if (new RegExp(pattern).test(line) && left-- > 0) yield { path: file, lineNumber: index + 1, line };
        }
      }
    },
    write: async (asked, written) => {
      const path = normalizeFsPath(asked);
      if (kind(path) === "directory") throw new NotAFileError(path);
      if (ancestorPaths(path).some((above) => contents.has(above))) throw new NotADirectoryError(path);
      contents.set(path, written);
    },
    delete: async (path) => void contents.delete(existing(path)),
    async *search(): AsyncGenerator<SearchResult> {},
  };
  return tree;
}
