/**
 * A store of durable blobs with etags, as `hostFs` needs it (docs/filesystem.md, section 3). Paths are absolute and normalized,
 * from the root of the store. All reject with a PathError about such a path: PermissionError, QuotaError, UnavailableError
 * or WriteFailedError with the store's own words as `reason`.
 */
export interface HostFilesApi {
  /** What the keeper of such a store can do when it tells no etags, in words. */
  readonly etagAdvice?: string;
  /** The direct children of a directory in any order; none when it is missing or a file. @throws ElsewhereError for a root that is known to be none */
  list(directory: string, signal?: AbortSignal): Promise<readonly HostEntry[]>;
  /** All files below a directory at any depth, a page at a time, where the store can tell them at once. */
  listBelow?(directory: string, signal: AbortSignal): AsyncIterable<readonly HostEntry[]>;
  /** A directory may be there by what lies below it alone. */
  stat(path: string): Promise<HostEntry | undefined>;
  /** `undefined` when there is no file at the path. */
  read(path: string): Promise<HostFile | undefined>;
  /** Creates or overwrites, making the parents. With a condition it does so only if that holds at that moment. */
  write(path: string, bytes: Uint8Array, condition?: WriteCondition): Promise<HostWrite>;
  /** Removes the file; with an etag only if that version is there at that moment. */
  delete(path: string, ifMatch?: string): Promise<HostDeletion>;
}

export interface HostEntry {
  readonly path: string;
  readonly kind: "file" | "directory";
  /** Names a version of a file; equal etags mean equal bytes. */
  readonly etag?: string | undefined;
  readonly sizeBytes?: number;
  /** Milliseconds since 1970. */
  readonly modifiedAt?: number;
}

export interface HostFile {
  readonly bytes: Uint8Array;
  /** `undefined` when the store does not say. */
  readonly etag: string | undefined;
}

/** The version that must be there, or that nothing may be. */
export type WriteCondition = { readonly ifMatch: string } | { readonly ifNoneMatch: "*" };

/** `changed`: the condition did not hold and nothing was written. */
export type HostWrite = { readonly kind: "written"; readonly etag: string | undefined } | { readonly kind: "changed" };

export type HostDeletion = "deleted" | "missing" | "changed";
