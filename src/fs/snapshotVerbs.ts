import { systemClock, type Clock } from "../base";
import { contentsFromBytes } from "./contents";
import type { DirEntry, EditableDisk, FileInfo, FileSystem } from "./fileSystem";
import { globBase } from "./globBase";
import { inlineEngine } from "./grep/inlineEngine";
import { importBatches } from "./importBatches";
import { lazyIterable } from "./lazyIterable";
import { memoryFile } from "./memoryFile";
import { joinFsPath, normalizeFsPath, validFsPath } from "./path";
import { FileNotFoundError, NotAFileError, PathError } from "./pathError";
import { SlicedFilter } from "./slicedFilter";
import type { SnapshotTree } from "./snapshotTree";
import type { CommittingDisk, TreeEdit } from "./treeEdit";
import type { TreeEngine } from "./treeEngine";
import type { FileEntry, TreeEntry } from "./treeEntry";
import type { VersionedTree } from "./versionedTree";

export interface TreeOptions {
  /** What searches the contents; without it they are searched in place. */
  readonly engine?: TreeEngine;
  /** Tells the times of files written. */
  readonly now?: Clock;
}

/** Where the verbs of a tree kept as a snapshot find it. Throws what the verbs throw. */
export interface SnapshotHolder {
  /** The tree as it is now; a promise while it is not in memory yet. */
  current(): SnapshotTree | Promise<SnapshotTree>;
  /** Makes all edits of the newest tree (`treeFromEdits`) and keeps it, or throws and changes nothing. */
  commit(edits: readonly TreeEdit[]): Promise<void>;
  readonly subscribe: (listener: () => void) => () => void;
}

export type ReadVerbs = Omit<FileSystem, "write" | "delete" | "brief">;
type EditVerbs = Pick<FileSystem, "write" | "delete"> & EditableDisk & CommittingDisk;

/** All verbs of a tree kept as a snapshot: `tempFs`, `idbFs` and forks are this over different holders. */
export function snapshotVerbs(
  holder: SnapshotHolder,
  options: TreeOptions = {},
): ReadVerbs & EditVerbs & VersionedTree & CommittingDisk {
  const current = () => holder.current();
  return {
    ...readVerbs(current, options),
    ...editVerbs((edits) => holder.commit(edits), options.now ?? systemClock),
    snapshot: async () => holder.current(),
    subscribe: holder.subscribe,
  };
}

/** The verbs that only read. Iterables look at the tree as it is at their first `next()`. */
export function readVerbs(
  current: () => SnapshotTree | Promise<SnapshotTree>,
  { engine = inlineEngine }: Pick<TreeOptions, "engine"> = {},
): ReadVerbs {
  return {
    list: (prefix = "/") => lazyIterable(() => whenKnown(current(), (tree) => listed(tree, prefix))),
    stat: async (path) => infoFromEntry((await current()).entry(path)),
    glob: (pattern, dir = "/") =>
      lazyIterable(async () => {
        // The tree as it is now, whatever is written while the matcher is loaded.
        const tree = await current();
        const { globMatcher } = await import("./globMatcher");
        return globbed(tree, globMatcher(pattern), globBase(pattern), dir);
      }),
    read: async (path) => contentsAt(await current(), validFsPath(path)),
    grep: (query) => {
      const search = { ...query, path: normalizeFsPath(query.path ?? "/") };
      return lazyIterable(() => whenKnown(current(), (tree) => engine.grep(tree, search)[Symbol.asyncIterator]()));
    },
    search: (query) =>
      lazyIterable(() => whenKnown(current(), (tree) => engine.search(tree, query)[Symbol.asyncIterator]())),
  };
}

function editVerbs(commit: SnapshotHolder["commit"], now: Clock): EditVerbs {
  const writeEdit = (path: string, contents: string | Uint8Array): TreeEdit => ({
    kind: "write",
    path: validFsPath(path),
    file: memoryFile(contents, now()),
  });
  return {
    commit,
    write: async (path, contents) => commit([writeEdit(path, contents)]),
    delete: async (path) => commit([{ kind: "delete", path: validFsPath(path) }]),
    rename: async (from, to) => commit([{ kind: "rename", from: validFsPath(from), to: validFsPath(to) }]),
    makeDirectory: async (path) => commit([{ kind: "makeDirectory", path: validFsPath(path) }]),
    removeDirectory: async (path) => commit([{ kind: "removeDirectory", path: validFsPath(path) }]),
    writeMany: async (files) => {
      for await (const batch of importBatches(files)) {
        await commit(batch.map(([path, contents]) => writeEdit(path, contents)));
      }
    },
  };
}

/** At once when the value is there: a promise would cost every list a turn. */
function whenKnown<T, R>(value: T | Promise<T>, then: (value: T) => R): R | Promise<R> {
  return value instanceof Promise ? value.then(then) : then(value);
}

function* listed(tree: SnapshotTree, prefix: string): Generator<DirEntry, void, undefined> {
  for (const [path, entry] of tree.walk(prefix)) yield dirEntry(path, entry);
}

function globbed(
  tree: SnapshotTree,
  matches: (relativePath: string) => boolean,
  patternBase: string,
  dir: string,
): AsyncIterator<DirEntry, undefined> {
  const scope = normalizeFsPath(dir);
  const start = scope === "/" ? 1 : scope.length + 1;
  const base = joinFsPath(scope, `./${patternBase}`);
  return new SlicedFilter(tree.walk(base)[Symbol.iterator](), ([path, entry]) =>
    entry.kind === "file" && matches(path.slice(start)) ? dirEntry(path, entry) : undefined,
  );
}

export function dirEntry(path: string, entry: TreeEntry): DirEntry {
  return entry.kind === "directory"
    ? { path, kind: "directory" }
    : { path, kind: "file", sizeBytes: entry.sizeBytes, modifiedAt: entry.modifiedAt };
}

export function infoFromEntry(entry: TreeEntry | undefined): FileInfo {
  if (entry === undefined) return { kind: "missing" };
  return entry.kind === "directory"
    ? { kind: "directory" }
    : { kind: "file", sizeBytes: entry.sizeBytes, modifiedAt: entry.modifiedAt };
}

/** What keeps contents knows no paths, or other ones. */
async function bytesOf(file: FileEntry, path: string): Promise<Uint8Array> {
  try {
    return await file.bytes();
  } catch (error) {
    throw error instanceof PathError ? error.withPath(path) : error;
  }
}

/** @throws FileNotFoundError, NotAFileError */
async function contentsAt(tree: SnapshotTree, path: string): Promise<string | Uint8Array> {
  const entry = tree.entry(path);
  if (entry === undefined) throw new FileNotFoundError(path);
  if (entry.kind === "directory") throw new NotAFileError(path);
  let contents = entry.contentsNow?.();
  if (contents === undefined) {
    const bytes = await bytesOf(entry, path);
    // Some know the text of what they have read, which spares decoding it.
    contents = entry.contentsNow?.() ?? contentsFromBytes(bytes);
  }
  // The entry's own bytes are shared by every snapshot: the reader gets bytes of its own.
  return typeof contents === "string" ? contents : contents.slice();
}
