import { baseName, isUnder, parentPath, type SnapshotTree } from "../fs";
import type { ChangeIndex } from "./changeIndex";
import { hiddenChildren, hiddenEntry, type MountedTrees } from "./hiddenEntries";
import { mountAt } from "./mountAt";

/** One line of the file tree. */
export interface TreeRow {
  readonly path: string;
  /** A chain of directories that hold one directory each is one row: `agent / skills`. */
  readonly names: readonly string[];
  readonly kind: "file" | "directory";
  /** From 1. */
  readonly level: number;
  readonly expanded: boolean;
  readonly position: number;
  readonly setSize: number;
  readonly mountId: string | undefined;
  /** Whether a mount stands exactly here. */
  readonly isMount: boolean;
  readonly mark: "A" | "M" | "D" | "inside" | undefined;
  readonly isGone: boolean;
  /** The prefix of the mount that keeps it from being seen; nothing can be done with it here. */
  readonly hiddenBy: string | undefined;
  /** The prefix of a mount that has a file at this path too, which is not seen for this row's. */
  readonly hides: string | undefined;
}

export interface TreeRowsInput extends MountedTrees {
  readonly snapshot: SnapshotTree;
  readonly changes: ChangeIndex;
  readonly expanded: ReadonlySet<string>;
}

interface Child {
  readonly name: string;
  readonly kind: "file" | "directory";
  readonly isGone: boolean;
  /** Of an entry that another mount hides: which, and whose it is. */
  readonly hidden?: { readonly by: string; readonly mountId: string };
}

const MARKS = { added: "A", modified: "M", deleted: "D" } as const;
const collator = new Intl.Collator("en", { numeric: true });

/** The rows in view order: directories before files, then by name; only expanded directories are walked. */
export function treeRows(input: TreeRowsInput): TreeRow[] {
  const rows: TreeRow[] = [];
  addChildren(rows, input, "/", 1);
  return rows;
}

function addChildren(rows: TreeRow[], input: TreeRowsInput, directory: string, level: number): void {
  const children = childrenOf(input, directory);
  children.forEach((child, index) => {
    const names = [child.name];
    let path = directory === "/" ? `/${child.name}` : `${directory}/${child.name}`;
    if (child.kind === "directory" && !child.isGone) {
      const isHidden = child.hidden !== undefined;
      for (
        let only = onlyDirectory(input, path, isHidden);
        only !== undefined;
        only = onlyDirectory(input, path, isHidden)
      ) {
        names.push(only);
        path = `${path}/${only}`;
      }
    }
    const expanded = child.kind === "directory" && input.expanded.has(path);
    const mount = mountAt(input.mounts, path);
    const shadowed = child.hidden || child.isGone || child.kind === "directory" ? undefined : hiddenEntry(input, path);
    rows.push({
      path,
      names,
      kind: child.kind,
      level,
      expanded,
      position: index + 1,
      setSize: children.length,
      mountId: child.hidden?.mountId ?? mount?.id,
      isMount: mount?.prefix === path,
      mark: child.hidden ? undefined : markOf(input.changes, path, child),
      isGone: child.isGone,
      hiddenBy: child.hidden?.by,
      hides: shadowed?.of,
    });
    if (expanded) addChildren(rows, input, path, level + 1);
  });
}

function markOf(changes: ChangeIndex, path: string, child: Child): TreeRow["mark"] {
  const change = child.kind === "file" ? changes.byPath.get(path) : undefined;
  if (change) return MARKS[change.kind];
  if (child.isGone) return "D";
  return child.kind === "directory" && changes.directories.has(path) ? "inside" : undefined;
}

/**
 * What is in a directory now, mount points with nothing in them included, what was in it when the run began, and what
 * another mount hides there.
 */
function childrenOf(input: TreeRowsInput, directory: string): Child[] {
  const { snapshot, mounts, changes } = input;
  const byName = new Map<string, Child>();
  for (const [name, { kind, by, mountId }] of hiddenChildren(input, directory))
    byName.set(name, { name, kind, isGone: false, hidden: { by, mountId } });
  for (const [name, kind] of changes.goneNames.get(directory) ?? []) byName.set(name, { name, kind, isGone: true });
  for (const { name, entry } of snapshot.children(directory))
    byName.set(name, { name, kind: entry.kind, isGone: false });
  for (const mount of mounts) {
    if (mount.prefix === "/" || mount.prefix === directory || !isUnder(mount.prefix, directory)) continue;
    const name = mount.prefix.slice(directory === "/" ? 1 : directory.length + 1).split("/")[0] ?? "";
    byName.set(name, { name, kind: "directory", isGone: false });
  }
  return [...byName.values()].toSorted((a, b) =>
    a.kind === b.kind
      ? collator.compare(a.name, b.name) || (a.name < b.name ? -1 : 1)
      : a.kind === "directory"
        ? -1
        : 1,
  );
}

/** The name of the only thing in a directory, when that is a directory like it and no mount stands between. */
function onlyDirectory(input: TreeRowsInput, path: string, isHidden: boolean): string | undefined {
  if (input.mounts.some((mount) => mount.prefix === path)) return undefined;
  if (input.snapshot.children(path).length > 1) return undefined;
  const children = childrenOf(input, path);
  const only = children[0];
  if (children.length !== 1 || only?.kind !== "directory" || only.isGone) return undefined;
  return (only.hidden !== undefined) === isHidden ? only.name : undefined;
}

/** Every directory above a path but `/`, the nearest first. */
export function directoriesAbove(path: string): string[] {
  const directories: string[] = [];
  for (let above = parentPath(path); above !== "/"; above = parentPath(above)) directories.push(above);
  return directories;
}

/** Where typing `text` leads from row `from`: the next row whose name begins with it, around the end; -1 for none. */
export function rowByTyping(rows: readonly TreeRow[], from: number, text: string): number {
  const wanted = text.toLowerCase();
  // A first letter moves on; further letters may stay where they are.
  const start = wanted.length === 1 ? from + 1 : from;
  for (let step = 0; step < rows.length; step++) {
    const index = (start + step) % rows.length;
    if (
      baseName(rows[index]?.path ?? "")
        .toLowerCase()
        .startsWith(wanted)
    )
      return index;
  }
  return -1;
}
