import { childEntry, childMapFromSorted, mergedChildren, withChild, withoutChild } from "./childMap";
import { directoryId } from "./directoryId";
import { baseName, isUnder, normalizeFsPath, parentPath, pathNames } from "./path";
import { ConflictError, FileNotFoundError, InvalidPathError, NotADirectoryError, NotAFileError } from "./pathError";
import { directoryEntry, emptyDirectory, type DirectoryEntry, type FileEntry, type TreeEntry } from "./treeEntry";
import { childNodes, TreeWalk, type TreeStep } from "./treeWalk";

/**
 * A tree of files as an immutable value. Every change is a new tree that shares all it did not touch: keeping one is
 * keeping a pointer, and comparing two walks only what differs (diffTrees.ts). Paths are normalized on the way in; what a
 * name may hold is checked by the verbs, not here.
 */
export class SnapshotTree {
  static readonly empty = new SnapshotTree(emptyDirectory);

  readonly root: DirectoryEntry;

  constructor(root: DirectoryEntry) {
    this.root = root;
  }

  get fileCount(): number {
    return this.root.fileCount;
  }

  get sizeBytes(): number {
    return this.root.sizeBytes;
  }

  entry(path: string): TreeEntry | undefined {
    const normal = normalizeFsPath(path);
    let entry: TreeEntry | undefined = this.root;
    // Without a list of names: this is asked for every file that is read or looked at.
    for (let begin = 1; begin < normal.length && entry !== undefined;) {
      if (entry.kind !== "directory") return undefined;
      const slash = normal.indexOf("/", begin);
      const end = slash < 0 ? normal.length : slash;
      entry = childEntry(entry.children, normal.slice(begin, end));
      begin = end + 1;
    }
    return entry;
  }

  file(path: string): FileEntry | undefined {
    const entry = this.entry(path);
    return entry?.kind === "file" ? entry : undefined;
  }

  /**
   * With the file at `path`, its parents made.
   * @throws NotAFileError when a directory is there, NotADirectoryError when a parent is a file
   */
  withFile(path: string, file: FileEntry): SnapshotTree {
    return this.#changed(path, (there, normal) => {
      if (there?.kind === "directory") throw new NotAFileError(normal);
      return file;
    });
  }

  /** With all the files, in one pass. A later one replaces an earlier one of the same path. @throws as `withFile` */
  withFiles(files: Iterable<readonly [path: string, file: FileEntry]>): SnapshotTree {
    const draft: Draft = new Map();
    for (const [path, file] of files) draftFile(draft, normalizeFsPath(path), file);
    return new SnapshotTree(withDraft(this.root, draft, "/"));
  }

  /** Without the file or directory at `path`; the same tree when nothing is there. Parents emptied by it go too. */
  without(path: string): SnapshotTree {
    return this.entry(path) === undefined ? this : this.#changed(path, () => undefined);
  }

  /** With a directory that stays when it is empty. @throws NotADirectoryError when `path` or a parent is a file */
  withDirectory(path: string): SnapshotTree {
    return this.#changed(path, (there, normal) => {
      if (there?.kind === "file") throw new NotADirectoryError(normal);
      return there?.isExplicit ? there : directoryEntry(there?.children, true);
    });
  }

  /**
   * With the file or directory at `from` moved to `to`.
   * @throws FileNotFoundError, ConflictError when something is at `to`, InvalidPathError for `/` and when `to` lies below `from`
   */
  renamed(from: string, to: string): SnapshotTree {
    const [source, target] = [normalizeFsPath(from), normalizeFsPath(to)];
    const entry = this.entry(source);
    if (source === "/") throw new InvalidPathError(source);
    if (entry === undefined) throw new FileNotFoundError(source);
    if (source === target) return this;
    if (isUnder(target, source)) throw new InvalidPathError(target);
    if (this.entry(target) !== undefined) throw new ConflictError(target);
    return this.#changed(target, () => entry).#changed(source, () => undefined);
  }

  /** With `subtree` at `prefix` in place of what was there. @throws NotADirectoryError when a parent is a file */
  withSubtree(prefix: string, subtree: SnapshotTree): SnapshotTree {
    return this.#changed(prefix, () => subtree.root);
  }

  /** The directory at `path` as a tree of its own; empty when there is none. */
  subtree(path: string): SnapshotTree {
    const entry = this.entry(path);
    return entry?.kind === "directory" ? new SnapshotTree(entry) : SnapshotTree.empty;
  }

  /** The children of the directory at `path` by name; none when there is no such directory. */
  children(path: string): readonly { readonly name: string; readonly entry: TreeEntry }[] {
    const entry = this.entry(path);
    return entry?.kind === "directory" ? [...childNodes(entry.children)] : [];
  }

  /** Every entry below `prefix` at any depth, lazily, in plain string order of whole paths. */
  walk(prefix = "/"): IterableIterator<TreeStep> {
    const path = normalizeFsPath(prefix);
    const entry = this.entry(path);
    return new TreeWalk(path, entry?.kind === "directory" ? entry.children : undefined);
  }

  /** Every file below `prefix` at any depth, lazily, in the order of `walk`. */
  *files(prefix = "/"): Generator<readonly [path: string, file: FileEntry], void, undefined> {
    for (const [path, entry] of this.walk(prefix)) if (entry.kind === "file") yield [path, entry];
  }

  /**
   * The identity of all the tree holds: names, kinds and contents, not times. Kept with every directory, so that a tree
   * that shares most of another costs only what differs.
   */
  rootHash(): Promise<string> {
    return directoryId(this.root);
  }

  #changed(path: string, change: EntryChange): SnapshotTree {
    const normal = normalizeFsPath(path);
    const root = changedEntry(this.root, pathNames(normal), 0, (there) => change(there, normal), normal);
    if (root === this.root) return this;
    if (root?.kind === "file") throw new NotAFileError(normal);
    return root === undefined ? SnapshotTree.empty : new SnapshotTree(root);
  }
}

type EntryChange = (there: TreeEntry | undefined, path: string) => TreeEntry | undefined;

/** `entry` with the one `names` lead to changed; `undefined` when nothing is left of it. */
function changedEntry(
  entry: TreeEntry | undefined,
  names: readonly string[],
  depth: number,
  change: (there: TreeEntry | undefined) => TreeEntry | undefined,
  path: string,
): TreeEntry | undefined {
  const name = names[depth];
  if (name === undefined) return change(entry);
  if (entry?.kind === "file") throw new NotADirectoryError(path);
  const children = entry?.children;
  const before = childEntry(children, name);
  const after = changedEntry(before, names, depth + 1, change, path);
  if (after === before) return entry;
  if (after !== undefined) return directoryEntry(withChild(children, name, after), entry?.isExplicit ?? false);
  const rest = withoutChild(children, name);
  return rest === undefined && !entry?.isExplicit ? undefined : directoryEntry(rest, entry?.isExplicit ?? false);
}

/** Files to be written at once, by name: a bulk change is drafted in plain maps and merged in once. */
type Draft = Map<string, FileEntry | Draft>;

function draftFile(draft: Draft, path: string, file: FileEntry): void {
  let directory = draft;
  for (const name of pathNames(parentPath(path))) {
    let next = directory.get(name);
    if (next === undefined) directory.set(name, (next = new Map()));
    if (!(next instanceof Map)) throw new NotADirectoryError(path);
    directory = next;
  }
  const name = baseName(path);
  if (name === "" || directory.get(name) instanceof Map) throw new NotAFileError(path);
  directory.set(name, file);
}

function withDraft(directory: DirectoryEntry, draft: Draft, path: string): DirectoryEntry {
  if (draft.size === 0) return directory;
  const sorted = [...draft.keys()].toSorted().map((name): readonly [string, TreeEntry] => {
    const drafted = draft.get(name);
    const childPath = path === "/" ? `/${name}` : `${path}/${name}`;
    const there = childEntry(directory.children, name);
    if (drafted instanceof Map)
      return [name, withDraft(draftedDirectory(there, drafted, childPath), drafted, childPath)];
    if (there?.kind === "directory" || drafted === undefined) throw new NotAFileError(childPath);
    return [name, drafted];
  });
  const children = mergedChildren(directory.children, childMapFromSorted(sorted), (_there, written) => written);
  return directoryEntry(children, directory.isExplicit);
}

function draftedDirectory(there: TreeEntry | undefined, draft: Draft, path: string): DirectoryEntry {
  if (there?.kind === "file") throw new NotADirectoryError(firstPath(draft, path));
  return there ?? emptyDirectory;
}

/** The first drafted file, for an error that names a file somebody asked to write. */
function firstPath(draft: Draft, path: string): string {
  const [first] = draft;
  if (first === undefined) return path;
  const [name, drafted] = first;
  return drafted instanceof Map ? firstPath(drafted, `${path}/${name}`) : `${path}/${name}`;
}
