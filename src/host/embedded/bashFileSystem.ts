import type { FsStat, IFileSystem, InMemoryFs } from "just-bash/browser";
import { isUnder, normalizeFsPath } from "../../fs";
import { HOST_ROOT } from "../host";
import { bytesFromText, textFromBytes } from "./byteStrings";
import type { HostFileStat } from "./hostCommand";
import { hostDiskError } from "./hostDiskFault";
import type { ShellDisk } from "./shellDisk";

type Content = string | Uint8Array;
type Encoding = { readonly encoding?: string | null } | string | undefined;

const COMMANDS = "/usr/bin/";
/** Commands that are over at once, and in loops that append. */
const PRINTING: ReadonlySet<string> = new Set(["echo", "printf"]);

export interface BashFileSystemOptions {
  readonly disk: ShellDisk;
  /** What lies outside the project: `/bin`, `/dev`, `/proc`, `/tmp`. */
  readonly base: InMemoryFs;
  /** Refuses every write to the disk. */
  readonly readOnly: boolean;
  /** Told of everything a disk refused: commands print most of it as "No such file". */
  readonly onError: (error: unknown) => void;
}

/**
 * The tree the shell sees: the project's disk at `HOST_ROOT`, everything else in memory. Routed by hand, because the
 * package's own mounting leaves out `readdirWithFileTypes`, without which `find` asks for every file.
 */
export class BashFileSystem implements IFileSystem {
  readonly #disk: ShellDisk;
  readonly #base: InMemoryFs;
  readonly #readOnly: boolean;
  readonly #onError: (error: unknown) => void;

  constructor({ disk, base, readOnly, onError }: BashFileSystemOptions) {
    this.#disk = disk;
    this.#base = base;
    this.#readOnly = readOnly;
    this.#onError = onError;
  }

  /** The shell's package calls these two at once, for what it puts into `/bin`, `/dev` and `/proc`. */
  mkdirSync(path: string, options?: { readonly recursive?: boolean }): void {
    if (diskPath(path) === undefined) this.#base.mkdirSync(path, options);
  }

  writeFileSync(path: string, content: Content): void {
    if (diskPath(path) === undefined) this.#base.writeFileSync(path, content);
  }

  readFile(path: string, options?: Encoding): Promise<string> {
    const at = diskPath(path);
    const encoding = encodingOf(options);
    if (path === "/dev/null") return Promise.resolve("");
    if (at === undefined) return this.#base.readFile(path, encoding as "utf8");
    const text = encoding === "utf8" ? this.#disk.textNow(at) : undefined;
    if (text !== undefined) return Promise.resolve(text);
    return this.#told(async () => textFromBytes(await this.#disk.read(at), encoding));
  }

  readFileBuffer(path: string): Promise<Uint8Array> {
    const at = diskPath(path);
    if (path === "/dev/null") return Promise.resolve(new Uint8Array(0));
    return at === undefined ? this.#base.readFileBuffer(path) : this.#told(() => this.#disk.read(at));
  }

  async writeFile(path: string, content: Content, options?: Encoding): Promise<void> {
    const at = diskPath(path);
    if (path === "/dev/null") return;
    if (at === undefined) return this.#base.writeFile(path, content, encodingOf(options) as "utf8");
    await this.#written(path, () => this.#disk.write(at, bytesOf(content, options)));
  }

  async appendFile(path: string, content: Content, options?: Encoding): Promise<void> {
    const at = diskPath(path);
    if (path === "/dev/null") return;
    if (at === undefined) return this.#base.appendFile(path, content, encodingOf(options) as "utf8");
    await this.#written(path, () => this.#disk.append(at, bytesOf(content, options)));
  }

  async exists(path: string): Promise<boolean> {
    const at = diskPath(path);
    if (at !== undefined) return this.#disk.entry(at) !== undefined;
    await this.#beforeCommand(path);
    return this.#base.exists(path);
  }

  async stat(path: string): Promise<FsStat> {
    const at = diskPath(path);
    if (at !== undefined) return this.#statOf(at, path);
    await this.#beforeCommand(path);
    return this.#base.stat(path);
  }

  async lstat(path: string): Promise<FsStat> {
    const at = diskPath(path);
    return at === undefined ? this.#base.lstat(path) : this.#statOf(at, path);
  }

  async readdir(path: string): Promise<string[]> {
    return (await this.readdirWithFileTypes(path)).map(({ name }) => name);
  }

  async readdirWithFileTypes(path: string) {
    const at = diskPath(path);
    if (at === undefined) return this.#base.readdirWithFileTypes(path);
    const names = this.#disk.readdir(at);
    if (names === undefined) throw hostDiskError(this.#disk.entry(at) === undefined ? "ENOENT" : "ENOTDIR", path);
    return names.map(({ name, kind }) => ({
      name,
      isFile: kind === "file",
      isDirectory: kind === "directory",
      isSymbolicLink: false,
    }));
  }

  async mkdir(path: string, options: { readonly recursive?: boolean } = {}): Promise<void> {
    const at = diskPath(path);
    if (at === undefined) return this.#base.mkdir(path, options);
    if (options.recursive === true && this.#disk.entry(at)?.kind === "directory") return;
    await this.#written(path, () => this.#disk.makeDirectory(at, options.recursive ?? false));
  }

  async rm(path: string, options: { readonly recursive?: boolean; readonly force?: boolean } = {}): Promise<void> {
    const at = diskPath(path);
    await this.#assertStays(path);
    if (at === undefined) return this.#base.rm(path, options);
    if (options.force === true && this.#disk.entry(at) === undefined) return;
    await this.#written(path, () => this.#disk.remove(at, options.recursive ?? false));
  }

  async cp(from: string, to: string, options: { readonly recursive?: boolean } = {}): Promise<void> {
    const [source, target] = [diskPath(from), diskPath(to)];
    if (source === undefined && target === undefined) return this.#base.cp(from, to, options);
    const { isDirectory } = await this.stat(from);
    if (isDirectory && options.recursive !== true) throw hostDiskError("EISDIR", from);
    if (source === undefined || target === undefined) return this.#copyAcross(from, to);
    await this.#written(to, () => this.#disk.copy(source, target));
  }

  async mv(from: string, to: string): Promise<void> {
    const [source, target] = [diskPath(from), diskPath(to)];
    await this.#assertStays(from);
    if (source === undefined && target === undefined) return this.#base.mv(from, to);
    if (source !== undefined && target !== undefined) return this.#written(to, () => this.#disk.rename(source, target));
    await this.#copyAcross(from, to);
    await this.rm(from, { recursive: true });
  }

  resolvePath(base: string, path: string): string {
    return path.startsWith("/") ? normalizeFsPath(path) : normalizeFsPath(`${base}/${path}`);
  }

  /** None: what matches patterns lists directories. */
  getAllPaths(): string[] {
    return [];
  }

  async chmod(path: string, mode: number): Promise<void> {
    const at = diskPath(path);
    if (at === undefined) return this.#base.chmod(path, mode);
    await this.#written(path, async () => this.#disk.chmod(at, mode));
  }

  async symlink(target: string, path: string): Promise<void> {
    await this.#assertNoLink(target, path);
    return this.#base.symlink(target, path);
  }

  async link(existing: string, path: string): Promise<void> {
    await this.#assertNoLink(existing, path);
    return this.#base.link(existing, path);
  }

  async readlink(path: string): Promise<string> {
    const at = diskPath(path);
    if (at === undefined) return this.#base.readlink(path);
    throw hostDiskError(this.#disk.entry(at) === undefined ? "ENOENT" : "EINVAL", path);
  }

  async realpath(path: string): Promise<string> {
    const at = diskPath(path);
    if (at === undefined) return this.#base.realpath(path);
    if (this.#disk.entry(at) === undefined) throw hostDiskError("ENOENT", path);
    return normalizeFsPath(path);
  }

  async utimes(path: string, accessedAt: Date, modifiedAt: Date): Promise<void> {
    const at = diskPath(path);
    if (at === undefined) return this.#base.utimes(path, accessedAt, modifiedAt);
    await this.#written(path, () => this.#disk.touch(at, modifiedAt.getTime()));
  }

  /**
   * A command is looked for before it runs: one that takes long, and is ended with the worker, must find all that was written
   * before it stored.
   */
  async #beforeCommand(path: string): Promise<void> {
    if (path.startsWith(COMMANDS) && !PRINTING.has(path.slice(COMMANDS.length))) await this.#disk.drain();
  }

  #statOf(at: string, path: string): FsStat {
    const stat = this.#disk.stat(at);
    if (stat === undefined) throw hostDiskError("ENOENT", path);
    return fsStat(stat, path);
  }

  async #copyAcross(from: string, to: string): Promise<void> {
    const { isDirectory } = await this.stat(from);
    if (!isDirectory) return this.writeFile(to, await this.readFileBuffer(from));
    if (!(await this.exists(to))) await this.mkdir(to);
    for (const name of await this.readdir(from)) await this.#copyAcross(`${from}/${name}`, `${to}/${name}`);
  }

  /** The directories the project lies in cannot go. */
  async #assertStays(path: string): Promise<void> {
    if (!isUnder(HOST_ROOT, normalizeFsPath(path))) return;
    await this.#told(async () => {
      throw hostDiskError("EPERM", path, "the project's own directory stays");
    });
  }

  /** Links are not kept: neither on the disk nor to it, where the tree in memory would not find what they lead to. */
  async #assertNoLink(target: string, path: string): Promise<void> {
    const leadsTo = this.resolvePath(path.slice(0, path.lastIndexOf("/")) || "/", target);
    if (diskPath(path) === undefined && diskPath(leadsTo) === undefined) return;
    await this.#told(async () => {
      throw hostDiskError("EPERM", path, "links are not kept on the project's disk: copy the file instead");
    });
  }

  #written(path: string, write: () => Promise<void>): Promise<void> {
    return this.#told(() => {
      if (this.#readOnly) throw hostDiskError("EROFS", path);
      return write();
    });
  }

  async #told<T>(body: () => Promise<T>): Promise<T> {
    try {
      return await body();
    } catch (error) {
      this.#onError(error);
      throw error;
    }
  }
}

/** The path on the project's disk; `undefined` for one outside it. */
export function diskPath(path: string): string | undefined {
  const normal = normalizeFsPath(path);
  if (normal === HOST_ROOT) return "/";
  return normal.startsWith(`${HOST_ROOT}/`) ? normal.slice(HOST_ROOT.length) : undefined;
}

/** Without links, a file is its path: `mv` and `cp` ask whether two are the same. */
function fsStat({ kind, sizeBytes, modifiedAt, mode }: HostFileStat, path: string): FsStat {
  return {
    isFile: kind === "file",
    isDirectory: kind === "directory",
    isSymbolicLink: kind === "symlink",
    mode,
    size: sizeBytes,
    mtime: new Date(modifiedAt),
    identity: normalizeFsPath(path),
  };
}

function encodingOf(options: Encoding): string {
  const encoding = typeof options === "object" ? options.encoding : options;
  return encoding === undefined || encoding === null || encoding === "utf-8" ? "utf8" : encoding;
}

/** A copy, because the shell may go on writing into what it gave. */
function bytesOf(content: Content, options: Encoding): Uint8Array {
  return typeof content === "string" ? bytesFromText(content, encodingOf(options)) : content.slice();
}
