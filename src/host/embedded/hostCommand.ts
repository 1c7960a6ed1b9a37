/**
 * A command of the embedded host that the shell's package does not have (docs/hosts.md, section 6). Each is a module of its
 * own, loaded when it is first run; it lives in the shell's worker, which is terminated when a command overruns.
 */
export interface HostCommand {
  readonly name: string;
  /** One line for `help`. */
  readonly summary: string;
  /** Ends with a result whatever happens; what it throws is shown as its standard error, with exit code 1. */
  run(args: readonly string[], context: HostCommandContext): Promise<HostCommandResult>;
}

export interface HostCommandResult {
  /** Bytes, or text to be encoded as UTF-8. */
  readonly stdout: string | Uint8Array;
  readonly stderr: string;
  readonly exitCode: number;
}

export interface HostCommandContext {
  /** Absolute path on the host. */
  readonly cwd: string;
  /** The exported variables. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: Uint8Array;
  readonly disk: HostCommandDisk;
  /** Whether commands may use the network here: not in a sandbox. */
  readonly hasNetwork: boolean;
  /** When the whole command line is ended, in milliseconds since 1970. */
  readonly deadlineMs: number;
  /** Fires when the command line is to end; a command that computes does not hear it, and is terminated. */
  readonly signal: AbortSignal | undefined;
}

/**
 * All the shell sees, by absolute path: the project's disk at `HOST_ROOT`, and what is in memory elsewhere (`/tmp`). Follows
 * symbolic links except where it says not. Every write resolves when it is stored. Bytes handed out are shared: they must not
 * be changed. Everything throws `HostDiskError`.
 */
export interface HostCommandDisk {
  readFile(path: string): Promise<Uint8Array>;
  /** The parent must be there. */
  writeFile(path: string, contents: string | Uint8Array): Promise<void>;
  appendFile(path: string, contents: string | Uint8Array): Promise<void>;
  exists(path: string): Promise<boolean>;
  stat(path: string): Promise<HostFileStat>;
  /** Does not follow the last link. */
  lstat(path: string): Promise<HostFileStat>;
  /** In plain string order. */
  readdir(path: string): Promise<readonly HostFileName[]>;
  mkdir(path: string, options?: { readonly recursive?: boolean }): Promise<void>;
  rm(path: string, options?: { readonly recursive?: boolean; readonly force?: boolean }): Promise<void>;
  /** Replaces a file that is at `to`. */
  rename(from: string, to: string): Promise<void>;
  readlink(path: string): Promise<string>;
  /** On the project's disk, which keeps no links, refused as `EPERM` (docs/hosts.md, section 3). */
  symlink(target: string, path: string): Promise<void>;
  /** Modes of the project's files are kept in memory, for as long as the page. */
  chmod(path: string, mode: number): Promise<void>;
  /** At once, of the project's disk only: `undefined` when nothing is there, or it is elsewhere. */
  statNow(path: string): HostFileStat | undefined;
  /** At once, of the project's disk only: `undefined` when no directory is there, or it is elsewhere. */
  readdirNow(path: string): readonly HostFileName[] | undefined;
  /** At once, of the project's disk only: `undefined` when it is not in memory; `readFile` then brings it there. */
  readFileNow(path: string): Uint8Array | undefined;
}

export type HostFileKind = "file" | "directory" | "symlink";

export interface HostFileName {
  readonly name: string;
  readonly kind: HostFileKind;
}

export interface HostFileStat {
  readonly kind: HostFileKind;
  readonly sizeBytes: number;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
  /** Permission bits, e.g. `0o644`. */
  readonly mode: number;
}

export type HostDiskErrorCode =
  | "ENOENT"
  | "EEXIST"
  | "EISDIR"
  | "ENOTDIR"
  | "ENOTEMPTY"
  | "EINVAL"
  | "ELOOP"
  | "EROFS"
  | "EPERM"
  | "ENOSPC"
  | "EIO";

/** What a disk refuses, as POSIX names it. The message is whole: code, words and path. */
export class HostDiskError extends Error {
  override readonly name = "HostDiskError";
  readonly code: HostDiskErrorCode;
  readonly path: string;
  /** What is wrong, without code and path. */
  readonly words: string;

  constructor(code: HostDiskErrorCode, path: string, words: string, options: { readonly cause?: unknown } = {}) {
    super(`${code}: ${words}, '${path}'`, { cause: options.cause });
    this.code = code;
    this.path = path;
    this.words = words;
  }
}

/** The commands there are, by name: where each is loaded from. */
export type HostCommandLoaders = Readonly<Record<string, HostCommandLoader>>;

export interface HostCommandLoader {
  /** One line for `help`, told without loading the command. */
  readonly summary: string;
  load(): Promise<HostCommand>;
}
