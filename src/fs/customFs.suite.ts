import { bytesFromContents, contentsFromBytes } from "./contents";
import type { DirEntry, FileSystem, GrepResult, SearchResult } from "./fileSystem";
import { globMatcher } from "./globMatcher";
import { grepFilter } from "./grepFilter";
import { ancestorPaths, isUnder, normalizeFsPath, validFsPath } from "./path";
import {
  DeleteNotSupportedError,
  FileNotFoundError,
  InvalidGrepPatternError,
  NotADirectoryError,
  NotAFileError,
} from "./pathError";

/**
 * A tree as an author would write one: the verbs and nothing else, over a map. No snapshots, no editing of directories,
 * no sizes; its search finds nothing.
 */
export function customFs(files: Readonly<Record<string, string | Uint8Array>> = {}): FileSystem {
  return new CustomFs(files);
}

/** The same of an author who can write and has no way to delete. */
export function undeletableFs(files: Readonly<Record<string, string | Uint8Array>> = {}): FileSystem {
  return new UndeletableFs(files);
}

class CustomFs implements FileSystem {
  readonly #contents: Map<string, Uint8Array>;

  constructor(files: Readonly<Record<string, string | Uint8Array>>) {
    this.#contents = new Map(
      Object.entries(files).map(([path, contents]) => [path, bytesFromContents(contents).slice()]),
    );
  }

  async *list(prefix = "/"): AsyncGenerator<DirEntry> {
    const scope = normalizeFsPath(prefix);
    const paths = new Set([...this.#contents.keys()].flatMap((path) => [...ancestorPaths(path), path]));
    for (const path of [...paths].toSorted()) {
      if (path !== scope && isUnder(path, scope)) yield { path, kind: this.#contents.has(path) ? "file" : "directory" };
    }
  }

  async stat(path: string) {
    return { kind: this.#kind(normalizeFsPath(path)) };
  }

  async *glob(pattern: string, dir = "/"): AsyncGenerator<DirEntry> {
    const scope = normalizeFsPath(dir);
    const matches = globMatcher(pattern);
    for await (const entry of this.list(scope)) {
      if (entry.kind === "file" && matches(entry.path.slice(scope === "/" ? 1 : scope.length + 1))) yield entry;
    }
  }

  async read(path: string): Promise<string | Uint8Array> {
    return contentsFromBytes(this.#file(validFsPath(path)).slice());
  }

  async *grep({ pattern, path = "/", glob, maxResults = Infinity }: Parameters<FileSystem["grep"]>[0]) {
    const scope = normalizeFsPath(path);
    const passes = grepFilter({ path: scope, glob });
    const expression = compiled(pattern, scope);
    let left = maxResults;
    for (const file of [...this.#contents.keys()].toSorted().filter(passes)) {
      const text = new TextDecoder().decode(this.#contents.get(file));
      for (const [index, line] of text.replace(/\n$/, "").split(/\r?\n/).entries()) {
        if (expression.test(line) && left-- > 0) yield { path: file, lineNumber: index + 1, line } satisfies GrepResult;
      }
    }
  }

  async write(path: string, contents: string | Uint8Array): Promise<void> {
    const valid = validFsPath(path);
    if (this.#kind(valid) === "directory") throw new NotAFileError(valid);
    if (ancestorPaths(valid).some((above) => this.#contents.has(above))) throw new NotADirectoryError(valid);
    this.#contents.set(valid, bytesFromContents(contents).slice());
  }

  async delete(path: string): Promise<void> {
    const valid = validFsPath(path);
    this.#file(valid);
    this.#contents.delete(valid);
  }

  async *search(): AsyncGenerator<SearchResult> {}

  #kind(path: string): DirEntry["kind"] | "missing" {
    if (this.#contents.has(path)) return "file";
    return path === "/" || [...this.#contents.keys()].some((other) => isUnder(other, path)) ? "directory" : "missing";
  }

  #file(path: string): Uint8Array {
    const bytes = this.#contents.get(path);
    if (bytes !== undefined) return bytes;
    throw this.#kind(path) === "missing" ? new FileNotFoundError(path) : new NotAFileError(path);
  }
}

class UndeletableFs extends CustomFs {
  override async delete(path: string): Promise<void> {
    throw new DeleteNotSupportedError(validFsPath(path));
  }
}

function compiled(pattern: string, scope: string): RegExp {
  try {
    return new RegExp(pattern, "u");
  } catch {
    throw new InvalidGrepPatternError(scope, pattern);
  }
}
