import { limits } from "../../base";
import {
  parentPath,
  validFsPath,
  type FileEntry,
  type IdbFileSystem,
  type SnapshotTree,
  type TreeEntry,
} from "../../fs";
import type { HostFileName, HostFileStat } from "./hostCommand";
import { faultFromError, hostDiskError, hostPathFromDisk } from "./hostDiskFault";
import { PendingFile } from "./pendingFile";
import { WriteQueue, type QueuedEdit } from "./writeQueue";

export interface ShellDiskOptions {
  readonly disk: Pick<IdbFileSystem, "commit" | "refresh" | "snapshot" | "subscribe">;
  /** Tells the times of files written, in ms. */
  readonly now: () => number;
  /** Whether quick writes of one file may wait for each other: where a loop can be ended without ending the worker. */
  readonly gathersWrites: boolean;
}

/**
 * The project's disk as POSIX knows one, for the shell: all that is said of files is in memory, contents are read when they
 * are asked for. Paths are the disk's own; errors name the host's. A write resolves when it is stored, except that quick
 * writes of one file wait for each other (docs/hosts.md, section 3); `settle` waits for all.
 */
export class ShellDisk {
  readonly #disk: ShellDiskOptions["disk"];
  readonly #now: () => number;
  readonly #queue: WriteQueue;
  readonly #gathersWrites: boolean;
  readonly #modes = new Map<string, number>();
  readonly #storedAt = new Map<string, number>();
  readonly #startedAt: number;
  readonly #unsubscribe: () => void;

  /** @throws UnavailableError */
  static async open(options: ShellDiskOptions): Promise<ShellDisk> {
    return new ShellDisk(options, await options.disk.snapshot());
  }

  private constructor({ disk, now, gathersWrites }: ShellDiskOptions, tree: SnapshotTree) {
    this.#gathersWrites = gathersWrites;
    this.#disk = disk;
    this.#now = now;
    this.#startedAt = now();
    this.#queue = new WriteQueue(disk, tree);
    this.#unsubscribe = disk.subscribe(() => void this.#queue.lookAgain());
  }

  /** Permission bits that were changed, by path. */
  get modes(): ReadonlyMap<string, number> {
    return this.#modes;
  }

  /** Those of a shell before this one. */
  setModes(modes: Iterable<readonly [path: string, mode: number]>): void {
    for (const [path, mode] of modes) this.#modes.set(path, mode);
  }

  /** Looks for what others wrote. @throws HostDiskError */
  async refresh(): Promise<void> {
    try {
      await this.#disk.refresh();
      await this.#queue.lookAgain();
    } catch (error) {
      throw faultFromError(error, hostPathFromDisk("/"));
    }
  }

  /** Resolves when nothing waits to be stored; what could not be is told by `settle`. */
  drain(): Promise<void> {
    return this.#queue.drain();
  }

  /** Resolves when all that was written is stored. @throws HostDiskError of what could not be, though its writer was told it was */
  async settle(): Promise<void> {
    this.#storedAt.clear();
    try {
      await this.#queue.settle();
    } catch (error) {
      throw faultFromError(error, hostPathFromDisk("/"));
    }
  }

  close(): void {
    this.#unsubscribe();
  }

  entry(path: string): TreeEntry | undefined {
    return this.#queue.tree.entry(path);
  }

  stat(path: string): HostFileStat | undefined {
    const entry = this.entry(path);
    if (entry === undefined) return undefined;
    const isFile = entry.kind === "file";
    return {
      kind: entry.kind,
      sizeBytes: isFile ? entry.sizeBytes : 0,
      modifiedAt: isFile ? entry.modifiedAt : this.#startedAt,
      mode: this.#modes.get(path) ?? (isFile ? 0o644 : 0o755),
    };
  }

  readdir(path: string): readonly HostFileName[] | undefined {
    if (this.entry(path)?.kind !== "directory") return undefined;
    return this.#queue.tree.children(path).map(({ name, entry }) => ({ name, kind: entry.kind }));
  }

  async read(path: string): Promise<Uint8Array> {
    const file = this.#fileAt(path);
    try {
      return file.bytesNow?.() ?? (await file.bytes());
    } catch (error) {
      throw faultFromError(error, hostPathFromDisk(path));
    }
  }

  /** The text, where it is in memory as one: decoding it again would cost as much as reading it. */
  textNow(path: string): string | undefined {
    const entry = this.entry(path);
    if (entry?.kind !== "file" || entry instanceof PendingFile) return undefined;
    const contents = entry.contentsNow?.();
    return typeof contents === "string" ? contents : undefined;
  }

  readNow(path: string): Uint8Array | undefined {
    const entry = this.entry(path);
    return entry?.kind === "file" ? entry.bytesNow?.() : undefined;
  }

  /** The bytes are kept as they are: they must not change. */
  async write(path: string, bytes: Uint8Array): Promise<void> {
    this.#assertWritablePath(path);
    const there = this.entry(path);
    // What a redirection empties first is written at once after it.
    const isQuick = bytes.length === 0 || this.#wasStoredLately(path);
    if (there instanceof PendingFile && !there.isTaken && there.isReplacing && there.sizeBytes === 0) {
      there.append(bytes);
      return this.#stored(path, there, isQuick);
    }
    const file = new PendingFile(undefined, undefined, this.#now(), true);
    if (bytes.length > 0) file.append(bytes);
    this.#queue.add({ kind: "pending", path, file });
    return this.#stored(path, file, isQuick);
  }

  /** Loses nothing of what others append meanwhile, in this shell or elsewhere. The bytes must not change. */
  async append(path: string, bytes: Uint8Array): Promise<void> {
    this.#assertWritablePath(path);
    for (;;) {
      const there = this.entry(path);
      if (there?.kind === "directory") throw hostDiskError("EISDIR", hostPathFromDisk(path));
      if (there instanceof PendingFile && !there.isTaken) {
        if (bytes.length === 0) return;
        there.append(bytes);
        return this.#stored(path, there, this.#wasStoredLately(path));
      }
      if (there !== undefined && bytes.length === 0) return;
      const before = there && (await this.read(path));
      // Somebody else was faster: theirs is appended to.
      if (this.entry(path) !== there) continue;
      const file = new PendingFile(there, before, this.#now(), false);
      file.append(bytes);
      this.#queue.add({ kind: "pending", path, file });
      return this.#stored(path, file, bytes.length === 0 || this.#wasStoredLately(path));
    }
  }

  async makeDirectory(path: string, isRecursive: boolean): Promise<void> {
    const there = this.entry(path);
    if (there?.kind === "directory" && isRecursive) return;
    if (there !== undefined) throw hostDiskError("EEXIST", hostPathFromDisk(path));
    if (!isRecursive) this.#assertParent(path);
    await this.#make(path, [{ kind: "makeDirectory", path: this.#valid(path) }]);
  }

  async remove(path: string, isRecursive: boolean): Promise<void> {
    const there = this.entry(path);
    if (there === undefined) throw hostDiskError("ENOENT", hostPathFromDisk(path));
    if (path === "/") throw hostDiskError("EPERM", hostPathFromDisk(path), "the project's own directory stays");
    if (there.kind === "directory" && there.children !== undefined && !isRecursive)
      throw hostDiskError("ENOTEMPTY", hostPathFromDisk(path));
    this.#forgetModes(path);
    await this.#make(path, [
      ...this.#keptParent(path),
      there.kind === "file" ? { kind: "delete", path } : { kind: "removeDirectory", path },
    ]);
  }

  /** Replaces a file, or an empty directory by a directory. */
  async rename(from: string, to: string): Promise<void> {
    const [source, target] = [this.entry(from), this.entry(to)];
    if (source === undefined) throw hostDiskError("ENOENT", hostPathFromDisk(from));
    if (from === to) return;
    this.#assertParent(to);
    const edits: QueuedEdit[] = [...this.#keptParent(from)];
    if (target !== undefined) edits.push(this.#replacing(source, target, to));
    edits.push({ kind: "rename", from, to: this.#valid(to) });
    for (const [path, mode] of Array.from(this.#modes)) {
      if (path === from || path.startsWith(`${from}/`)) this.#modes.set(to + path.slice(from.length), mode);
    }
    this.#forgetModes(from);
    await this.#make(to, edits);
  }

  /** A file, or a directory with all below it, without reading any of it. What is there is replaced or added to. */
  async copy(from: string, to: string): Promise<void> {
    const source = this.entry(from);
    if (source === undefined) throw hostDiskError("ENOENT", hostPathFromDisk(from));
    this.#assertParent(to);
    const target = this.#valid(to);
    if (source.kind === "file") {
      if (this.entry(target)?.kind === "directory") throw hostDiskError("EISDIR", hostPathFromDisk(to));
      return this.#make(to, [{ kind: "write", path: target, file: this.#renewed(source) }]);
    }
    const edits: QueuedEdit[] = [{ kind: "makeDirectory", path: target }];
    for (const [path, entry] of this.#queue.tree.walk(from)) {
      const at = target + path.slice(from === "/" ? 0 : from.length);
      if (entry.kind === "file") edits.push({ kind: "write", path: at, file: this.#renewed(entry) });
      else edits.push({ kind: "makeDirectory", path: at });
    }
    return this.#make(to, edits);
  }

  chmod(path: string, mode: number): void {
    if (this.entry(path) === undefined) throw hostDiskError("ENOENT", hostPathFromDisk(path));
    this.#modes.set(path, mode & 0o777);
  }

  /** Directories have no time of their own. */
  async touch(path: string, modifiedAt: number): Promise<void> {
    const there = this.entry(path);
    if (there === undefined) throw hostDiskError("ENOENT", hostPathFromDisk(path));
    if (there.kind === "directory") return;
    const file = new PendingFile(undefined, await this.read(path), modifiedAt, true);
    this.#queue.add({ kind: "pending", path, file });
    return this.#stored(path, file, false);
  }

  #renewed(file: FileEntry): FileEntry {
    const bytes = file.bytesNow?.();
    if (bytes === undefined) return file;
    const copy = new PendingFile(undefined, bytes, this.#now(), true);
    return copy.toFile();
  }

  #replacing(source: TreeEntry, target: TreeEntry, path: string): QueuedEdit {
    if (target.kind === "file") {
      if (source.kind === "directory") throw hostDiskError("ENOTDIR", hostPathFromDisk(path));
      return { kind: "delete", path };
    }
    if (source.kind === "file") throw hostDiskError("EISDIR", hostPathFromDisk(path));
    if (target.children !== undefined) throw hostDiskError("ENOTEMPTY", hostPathFromDisk(path));
    return { kind: "removeDirectory", path };
  }

  /** A directory that nobody made as such would go with its last entry. */
  #keptParent(path: string): QueuedEdit[] {
    const parent = parentPath(path);
    const entry = this.entry(parent);
    if (parent === "/" || entry?.kind !== "directory" || entry.isExplicit || entry.children?.count !== 1) return [];
    return [{ kind: "makeDirectory", path: parent }];
  }

  #fileAt(path: string): FileEntry {
    const entry = this.entry(path);
    if (entry === undefined) throw hostDiskError("ENOENT", hostPathFromDisk(path));
    if (entry.kind === "directory") throw hostDiskError("EISDIR", hostPathFromDisk(path));
    return entry;
  }

  #assertWritablePath(path: string): void {
    if (this.entry(path)?.kind === "directory") throw hostDiskError("EISDIR", hostPathFromDisk(path));
    this.#assertParent(path);
    this.#valid(path);
  }

  #assertParent(path: string): void {
    const parent = this.entry(parentPath(path));
    if (parent === undefined) throw hostDiskError("ENOENT", hostPathFromDisk(path));
    if (parent.kind === "file") throw hostDiskError("ENOTDIR", hostPathFromDisk(path));
  }

  #valid(path: string): string {
    try {
      return validFsPath(path);
    } catch (error) {
      throw faultFromError(error, hostPathFromDisk(path));
    }
  }

  #forgetModes(path: string): void {
    for (const known of this.#modes.keys()) {
      if (known === path || known.startsWith(`${path}/`)) this.#modes.delete(known);
    }
  }

  #wasStoredLately(path: string): boolean {
    if (!this.#gathersWrites) return false;
    const at = this.#storedAt.get(path);
    return at !== undefined && performance.now() - at < limits.shellQuickWriteMs;
  }

  async #make(path: string, edits: readonly QueuedEdit[]): Promise<void> {
    try {
      await this.#queue.make(edits);
    } catch (error) {
      throw faultFromError(error, hostPathFromDisk(path));
    }
  }

  async #stored(path: string, file: PendingFile, isQuick: boolean): Promise<void> {
    try {
      await this.#queue.stored(file, isQuick);
    } catch (error) {
      throw faultFromError(error, hostPathFromDisk(path));
    } finally {
      this.#storedAt.set(path, performance.now());
    }
  }
}
