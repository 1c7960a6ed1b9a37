import { limits, type Clock } from "../../base";
import {
  baseName,
  commitEdits,
  ConflictError,
  editsFromChanges,
  joinFsPath,
  parentPath,
  snapshotOf,
  SnapshotTree,
  treeDifference,
  type TreeEdit,
} from "../../fs";
import type { HostDisk } from "../host";
import { binarySnapshot } from "./binarySnapshot";
import type { ContainerSession } from "./containerSession";
import { containerTree, isLeftOut, NOT_EXPORTED, treeForContainer } from "./containerTree";

/** Where a command's version of a file lies that the disk could not take. */
const CONFLICTS_DIRECTORY = "/.agent/conflicts";

/** What came back from the container. */
export interface MirrorReport {
  /** Files that were changed on the disk while the command ran: the disk's version stays. */
  readonly conflicts: readonly { readonly path: string; readonly keptAt?: string }[];
  /** Files a command changed and may not: they are as before. */
  readonly putBack: number;
}

/**
 * Keeps the project's disk and the container's in step (docs/hosts.md, "Two copies of the files"). `#base` is what both had
 * last: what differs from it on the disk goes into the container, what differs from it in the container comes back. One
 * step at a time.
 */
export class DiskMirror {
  readonly #disk: HostDisk;
  readonly #session: ContainerSession;
  readonly #now: Clock;
  #base = SnapshotTree.empty;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(disk: HostDisk, session: ContainerSession, now: Clock) {
    this.#disk = disk;
    this.#session = session;
    this.#now = now;
  }

  /** Fills an empty container with the whole disk. @throws HostError `host-lost` · PathError when the disk cannot be read */
  mount(): Promise<void> {
    return this.#inTurn(async () => {
      const tree = await this.#diskTree();
      await this.#session.mount(await binarySnapshot(tree));
      this.#base = tree;
    });
  }

  /** Brings what was written on the disk into the container. @throws as `mount` */
  push(): Promise<void> {
    return this.#inTurn(async () => {
      const tree = await this.#diskTree();
      await this.#intoContainer(this.#base, tree);
      this.#base = tree;
    });
  }

  /** Brings what was written in the container onto the disk. @throws as `mount`, and what the disk's writes throw */
  pull(): Promise<MirrorReport> {
    return this.#inTurn(async () => {
      const tree = await this.#containerTree();
      const conflicts = await this.#ontoDisk(this.#base, tree);
      this.#base = tree;
      return { conflicts, putBack: 0 };
    });
  }

  /** Undoes in the container what was written there. @throws as `mount` */
  putBack(): Promise<MirrorReport> {
    return this.#inTurn(async () => {
      const tree = await this.#containerTree();
      const putBack = await this.#intoContainer(tree, this.#base);
      return { conflicts: [], putBack };
    });
  }

  async #diskTree(): Promise<SnapshotTree> {
    return treeForContainer(await snapshotOf(this.#disk));
  }

  async #containerTree(): Promise<SnapshotTree> {
    return containerTree(await this.#session.export(NOT_EXPORTED), this.#base, {
      readBytes: (path) => this.#session.readFile(path),
      now: this.#now,
    });
  }

  /** Makes the container, which is as `before`, like `after`. Returns the number of files that differed. */
  async #intoContainer(before: SnapshotTree, after: SnapshotTree): Promise<number> {
    const { changes, madeDirectories, removedDirectories } = treeDifference(before, after);
    for (const { path, kind } of changes) if (kind === "deleted") await this.#session.remove(path);
    const emptied = new Set([...changes.map(({ path }) => parentPath(path)), ...removedDirectories]);
    await this.#removeEmptied(emptied, after);
    const writes = changes.filter(({ kind }) => kind !== "deleted");
    const parents = new Set(writes.filter(({ kind }) => kind === "added").map(({ path }) => parentPath(path)));
    parents.delete("/");
    for (const path of new Set([...madeDirectories, ...parents])) await this.#session.makeDirectory(path);
    for (let from = 0; from < writes.length; from += limits.hostWritesAtOnce) {
      await Promise.all(
        writes.slice(from, from + limits.hostWritesAtOnce).map(async ({ path }) => {
          const bytes = await after.file(path)?.bytes();
          if (bytes !== undefined) await this.#session.writeFile(path, bytes);
        }),
      );
    }
    return changes.length;
  }

  /** Directories the tree no longer has, from the inside out; one that holds something of the container's own stays. */
  async #removeEmptied(paths: Iterable<string>, tree: SnapshotTree): Promise<void> {
    const open = [...paths];
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      if (path === "/" || tree.entry(path) !== undefined) continue;
      const names = await this.#session.names(path);
      if (names === undefined || !names.every(isLeftOut)) continue;
      await this.#session.remove(path);
      open.push(parentPath(path));
    }
  }

  /** Makes the changes of a command on the disk, each only where the disk is as the command found it. */
  async #ontoDisk(before: SnapshotTree, after: SnapshotTree): Promise<MirrorReport["conflicts"]> {
    const edits = editsOf(before, after);
    if (edits.length === 0) return [];
    try {
      await commitEdits(this.#disk, edits);
      return [];
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
    }
    const conflicts: { path: string; keptAt?: string }[] = [];
    for (const edit of edits) {
      try {
        await commitEdits(this.#disk, [edit]);
      } catch (error) {
        if (!(error instanceof ConflictError)) throw error;
        const conflict = await this.#keptAside(edit);
        if (conflict !== undefined) conflicts.push(conflict);
      }
    }
    return conflicts;
  }

  /** Keeps what a command wrote beside what the disk has; nothing where both are the same. */
  async #keptAside(edit: TreeEdit): Promise<{ path: string; keptAt?: string } | undefined> {
    if (edit.kind === "rename" || edit.kind === "makeDirectory" || edit.kind === "removeDirectory") return undefined;
    const there = (await snapshotOf(this.#disk)).file(edit.path);
    if (edit.kind === "delete") return there === undefined ? undefined : { path: edit.path };
    if (there?.hash === edit.file.hash) return undefined;
    const directory = joinFsPath(CONFLICTS_DIRECTORY, `.${parentPath(edit.path)}`);
    const keptAt = joinFsPath(directory, `${edit.file.hash.slice(0, 8)}-${baseName(edit.path)}`);
    await commitEdits(this.#disk, [{ kind: "write", path: keptAt, file: edit.file }]);
    return { path: edit.path, keptAt };
  }

  #inTurn<T>(step: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(step);
    this.#queue = turn.catch(() => undefined);
    return turn;
  }
}

/** A command's changes, with the directories it emptied: they are there for the next command. */
function editsOf(before: SnapshotTree, after: SnapshotTree): TreeEdit[] {
  const { changes, madeDirectories, removedDirectories } = treeDifference(before, after);
  const made = new Set(madeDirectories);
  for (const [path, entry] of after.walk()) {
    if (entry.kind !== "directory" || !entry.isExplicit) continue;
    const was = before.entry(path);
    if (was?.kind !== "directory" || !was.isExplicit) made.add(path);
  }
  return editsFromChanges(changes, (path) => after.file(path), { made: [...made], removed: removedDirectories });
}
