import { childDifferenceSteps, diffChildren, type ChildDifference } from "./childMap";
import type { SnapshotTree } from "./snapshotTree";
import { emptyDirectory, type DirectoryEntry, type TreeEntry } from "./treeEntry";

/** A file that differs between two trees; the hash of a side that does not have it is left out. */
export interface Change {
  readonly path: string;
  readonly kind: "added" | "modified" | "deleted";
  readonly before?: string;
  readonly after?: string;
}

/** The files that differ by content, in order of their paths. Walks only what the trees do not share. */
export function diffTrees(before: SnapshotTree, after: SnapshotTree): Change[] {
  return treeDifference(before, after).changes;
}

/** The same changes one by one, in any order; `undefined` now and then, where a caller may pause. */
export function* diffSteps(before: SnapshotTree, after: SnapshotTree): Generator<Change | undefined, void, undefined> {
  const open = [{ prefix: "/", steps: childDifferenceSteps(before.root.children, after.root.children) }];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const step = top.steps.next();
    if (step.done) open.pop();
    else if (step.value === undefined) yield undefined;
    else {
      const { name, before: old, after: fresh } = step.value;
      const path = top.prefix + name;
      const change = changeOf(path, old, fresh);
      if (change !== undefined) yield change;
      const [was, is] = [directoryOf(old)?.children, directoryOf(fresh)?.children];
      if (was !== is) open.push({ prefix: `${path}/`, steps: childDifferenceSteps(was, is) });
    }
  }
}

/** Whether any file differs by content. */
export function treesDiffer(before: SnapshotTree, after: SnapshotTree): boolean {
  for (const step of diffSteps(before, after)) if (step !== undefined) return true;
  return false;
}

/** The children about which two directories differ, in any order; what is no directory has none. */
export function childDifferences(before: TreeEntry | undefined, after: TreeEntry | undefined): ChildDifference[] {
  const steps = childDifferenceSteps(directoryOf(before)?.children, directoryOf(after)?.children);
  return Array.from(steps).filter((step) => step !== undefined);
}

export interface TreeDifference {
  readonly changes: Change[];
  /** Directories made as such that the tree before does not have, parents first. */
  readonly madeDirectories: string[];
  /** Directories made as such that the tree after does not have, parents first. */
  readonly removedDirectories: string[];
}

export function treeDifference(before: SnapshotTree, after: SnapshotTree): TreeDifference {
  const difference: TreeDifference = { changes: [], madeDirectories: [], removedDirectories: [] };
  compareDirectories(difference, "/", before.root, after.root);
  difference.changes.sort((a, b) => (a.path < b.path ? -1 : 1));
  return difference;
}

function compareDirectories(into: TreeDifference, prefix: string, before: DirectoryEntry, after: DirectoryEntry): void {
  diffChildren(before.children, after.children, (name, old, fresh) => compareEntries(into, prefix + name, old, fresh));
}

function compareEntries(
  into: TreeDifference,
  path: string,
  before: TreeEntry | undefined,
  after: TreeEntry | undefined,
): void {
  const change = changeOf(path, before, after);
  if (change !== undefined) into.changes.push(change);
  const [old, fresh] = [directoryOf(before), directoryOf(after)];
  if (old === fresh) return;
  if (fresh?.isExplicit && old === undefined) into.madeDirectories.push(path);
  if (old?.isExplicit && fresh === undefined) into.removedDirectories.push(path);
  compareDirectories(into, `${path}/`, old ?? emptyDirectory, fresh ?? emptyDirectory);
}

function directoryOf(entry: TreeEntry | undefined): DirectoryEntry | undefined {
  return entry?.kind === "directory" ? entry : undefined;
}

function changeOf(path: string, before: TreeEntry | undefined, after: TreeEntry | undefined): Change | undefined {
  const old = before?.kind === "file" ? before.hash : undefined;
  const fresh = after?.kind === "file" ? after.hash : undefined;
  if (old === fresh) return undefined;
  if (old === undefined) return { path, kind: "added", after: fresh as string };
  if (fresh === undefined) return { path, kind: "deleted", before: old };
  return { path, kind: "modified", before: old, after: fresh };
}
