/**
 * The one interface every tree implements (docs/filesystem.md, section 1). Paths are absolute POSIX paths rooted at `/`,
 * without a trailing slash; `""`, `"/"` and an omitted scope mean the root. Order is plain string order of whole paths.
 * Iterators are lazy: the first entry does not wait for the last, and leaving an iterator stops its work.
 */
export interface FileSystem {
  /** Every entry below `prefix` at any depth, sorted and unique; nothing for a file or a missing path. */
  list(prefix?: string): AsyncIterable<DirEntry>;
  /** Never throws for a missing path: that is `{ kind: "missing" }`. */
  stat(path: string): Promise<FileInfo>;
  /** Files whose path relative to `dir` matches the whole pattern: `*.ts` under `/src` is `/src/a.ts` only. */
  glob(pattern: string, dir?: string): AsyncIterable<DirEntry>;
  /**
   * Text as a string with its BOM and line ends; images, and whatever holds NUL or is not valid UTF-8, as bytes.
   * @throws FileNotFoundError, NotAFileError
   */
  read(path: string): Promise<string | Uint8Array>;
  /**
   * Hits by path, then line number; every hit is kept. A slash-free `glob` matches the basename at any depth.
   * @throws InvalidGrepPatternError
   */
  grep(query: GrepQuery): AsyncIterable<GrepResult>;
  /**
   * Creates or overwrites, making the parents.
   * @throws ReadOnlyMountError, NotAFileError, NotADirectoryError, WriteFailedError
   */
  write(path: string, contents: string | Uint8Array): Promise<void>;
  /** @throws FileNotFoundError, NotAFileError, ReadOnlyMountError, DeleteNotSupportedError */
  delete(path: string): Promise<void>;
  /** Ranked passages by score, highest first, then path; nothing where the tree has no index. */
  search(query: SearchQuery): AsyncIterable<SearchResult>;
  /** What a model must know of this tree; added after the author's instructions as its own block. */
  brief?(context: BriefContext): Promise<string | undefined>;
}

export interface DirEntry {
  readonly path: string;
  readonly kind: "file" | "directory";
  readonly sizeBytes?: number;
  /** Milliseconds since 1970. */
  readonly modifiedAt?: number;
}

export interface FileInfo {
  readonly kind: "file" | "directory" | "missing";
  readonly sizeBytes?: number;
  /** Milliseconds since 1970. */
  readonly modifiedAt?: number;
}

export interface GrepQuery {
  readonly pattern: string;
  readonly path?: string | undefined;
  readonly glob?: string | undefined;
  /** A file type by ripgrep's name, e.g. `ts`. */
  readonly type?: string | undefined;
  readonly caseInsensitive?: boolean | undefined;
  readonly multiline?: boolean | undefined;
  /** Lines. */
  readonly contextBefore?: number | undefined;
  /** Lines. */
  readonly contextAfter?: number | undefined;
  readonly maxResults?: number | undefined;
}

export interface GrepResult {
  readonly path: string;
  /** From 1. */
  readonly lineNumber: number;
  /** Without its line end. */
  readonly line: string;
  readonly contextBefore?: readonly string[];
  readonly contextAfter?: readonly string[];
}

export interface SearchQuery {
  readonly query: string;
  readonly paths?: readonly string[] | undefined;
  readonly maxResults?: number | undefined;
}

export interface SearchResult {
  readonly path: string;
  readonly score: number;
  /** From 1, inclusive. */
  readonly startLine: number;
  /** From 1, inclusive. */
  readonly endLine: number;
  readonly text: string;
}

export interface BriefContext {
  readonly sessionId: string;
  readonly agentName?: string | undefined;
  /** Whether the model is told where the mounts are already. */
  readonly mountsTold?: boolean | undefined;
}

/** One file to be written by `writeMany`. */
export type FileToWrite = readonly [path: string, contents: string | Uint8Array];

/** What a person's tree view needs beyond the verbs: not offered to a model (docs/filesystem.md, section 3). */
export interface EditableDisk {
  /** Renames or moves a file or a directory with all below it. @throws FileNotFoundError, ConflictError (target exists) */
  rename(from: string, to: string): Promise<void>;
  makeDirectory(path: string): Promise<void>;
  /** Removes a directory with all below it. @throws FileNotFoundError, NotADirectoryError */
  removeDirectory(path: string): Promise<void>;
  /** Writes many files as one import; all or none of each batch is stored. */
  writeMany(files: Iterable<FileToWrite> | AsyncIterable<FileToWrite>): Promise<void>;
}

export type EditableFileSystem = FileSystem & EditableDisk;
