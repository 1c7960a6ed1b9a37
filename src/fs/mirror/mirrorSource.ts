/**
 * A folder or store that others write too, as a mirror needs it. A version names what a file holds at one time. All reject
 * with a PathError about a path from the root of the source.
 */
export interface MirrorSource {
  /** Every file below the scope, in any order, and the directories that are there by themselves; others may be named too. */
  list(scope: string, signal: AbortSignal): AsyncIterable<SourceEntry>;
  look(path: string): Promise<SourceEntry | undefined>;
  /** `undefined` when there is no file at the path. */
  fetch(path: string): Promise<SourceFile | undefined>;
  /** Creates or overwrites, making the parents, if the expected version is there; `null`: if nothing is. */
  write(path: string, bytes: Uint8Array, expected: string | null): Promise<SourceWrite>;
  delete(path: string, expected: string): Promise<"deleted" | "missing" | "changed">;
  /** Where directories are there by themselves. */
  readonly directories?: SourceDirectories;
  /**
   * Calls back soon after something was changed, where the browser can tell: with the paths, or without any when it could be
   * anything. Answers how to stop.
   */
  watch?(changed: (paths?: readonly string[]) => void): () => void;
}

export interface SourceEntry {
  readonly path: string;
  readonly kind: "file" | "directory";
  /** Of files. */
  readonly version?: string;
  readonly sizeBytes?: number;
  /** Milliseconds since 1970. */
  readonly modifiedAt?: number;
}

export interface SourceFile {
  readonly bytes: Uint8Array;
  readonly version: string;
}

/** `changed`: another version was there, and nothing was written. */
export type SourceWrite =
  | { readonly kind: "written"; readonly version: string; readonly modifiedAt?: number }
  | { readonly kind: "changed" };

export interface SourceDirectories {
  rename(from: string, to: string): Promise<void>;
  make(path: string): Promise<void>;
  remove(path: string): Promise<void>;
}
