/** The one thing code branches on; messages are for people and models (docs/filesystem.md, section 2). */
export type PathErrorCode =
  | "not-found"
  | "write-failed"
  | "read-only-mount"
  | "no-mount"
  | "invalid-grep-pattern"
  | "delete-not-supported"
  | "edit"
  | "conflict"
  | "quota"
  | "invalid-path"
  | "not-a-file"
  | "not-a-directory"
  | "permission"
  | "unavailable";

/** What went wrong with a path. `path` is absolute in the tree that threw it. */
export abstract class PathError extends Error {
  abstract readonly code: PathErrorCode;
  readonly path: string;

  constructor(path: string, message: string) {
    super(message);
    this.path = path;
    this.name = new.target.name;
  }

  /** The same error about another path: a union puts a mount's prefix back. */
  abstract withPath(path: string): PathError;
}

export class FileNotFoundError extends PathError {
  readonly code = "not-found";
  constructor(path: string) {
    super(path, `not found: ${path}`);
  }
  override withPath(path: string): PathError {
    return new FileNotFoundError(path);
  }
}

/** A write that failed; `ConflictError` and `QuotaError` are the kinds with a code of their own. */
export class WriteFailedError extends PathError {
  readonly code: "write-failed" | "conflict" | "quota" = "write-failed";
  /** The operating system's own message, where there is one. */
  readonly reason: string | undefined;
  constructor(path: string, reason?: string) {
    super(path, reason ?? `write failed: ${path}`);
    this.reason = reason;
  }
  override withPath(path: string): PathError {
    return new WriteFailedError(path, this.reason);
  }
}

/** Somebody else wrote first; both versions are named by their hashes. */
export class ConflictError extends WriteFailedError {
  override readonly code = "conflict";
  /** The version this writer had seen; `undefined` when it had seen none. */
  readonly expectedHash: string | undefined;
  /** The version that is there; `undefined` when there is none. */
  readonly actualHash: string | undefined;
  constructor(path: string, expectedHash?: string, actualHash?: string) {
    super(path, `conflict: ${path}`);
    this.expectedHash = expectedHash;
    this.actualHash = actualHash;
  }
  override withPath(path: string): PathError {
    return new ConflictError(path, this.expectedHash, this.actualHash);
  }
}

export class QuotaError extends WriteFailedError {
  override readonly code = "quota";
  constructor(path: string) {
    super(path, `storage full: ${path}`);
  }
  override withPath(path: string): PathError {
    return new QuotaError(path);
  }
}

export class ReadOnlyMountError extends PathError {
  readonly code = "read-only-mount";
  constructor(path: string) {
    super(path, `read-only mount: ${path}`);
  }
  override withPath(path: string): PathError {
    return new ReadOnlyMountError(path);
  }
}

export class NoMountError extends PathError {
  readonly code = "no-mount";
  constructor(path: string) {
    super(path, `no mount for path: ${path}`);
  }
  override withPath(path: string): PathError {
    return new NoMountError(path);
  }
}

/** `path` is the search root. */
export class InvalidGrepPatternError extends PathError {
  readonly code = "invalid-grep-pattern";
  readonly pattern: string;
  constructor(path: string, pattern: string) {
    super(path, `invalid grep pattern: ${pattern}`);
    this.pattern = pattern;
  }
  override withPath(path: string): PathError {
    return new InvalidGrepPatternError(path, this.pattern);
  }
}

export class DeleteNotSupportedError extends PathError {
  readonly code = "delete-not-supported";
  constructor(path: string) {
    super(path, `delete not supported: ${path}`);
  }
  override withPath(path: string): PathError {
    return new DeleteNotSupportedError(path);
  }
}

/** Why an exact replace was refused; `path` is the file. */
export type EditProblem = "empty" | "same" | "missing" | "ambiguous";

const EDIT_MESSAGES: Record<EditProblem, string> = {
  empty: "oldText is empty",
  same: "oldText and newText are exactly the same",
  missing: "The string to replace was not found in the file",
  ambiguous:
    "The string to replace was found multiple times in the file. Use replace_all to replace all occurrences, or include more context to only edit one occurrence.",
};

export class EditError extends PathError {
  readonly code = "edit";
  readonly problem: EditProblem;
  constructor(path: string, problem: EditProblem) {
    super(path, EDIT_MESSAGES[problem]);
    this.problem = problem;
  }
  override withPath(path: string): PathError {
    return new EditError(path, this.problem);
  }
}

/** NUL, a lone surrogate, `.` or `..` in a name of an archive, a name that is too long. */
export class InvalidPathError extends PathError {
  readonly code = "invalid-path";
  constructor(path: string) {
    super(path, `invalid path: ${path}`);
  }
  override withPath(path: string): PathError {
    return new InvalidPathError(path);
  }
}

export class NotAFileError extends PathError {
  readonly code = "not-a-file";
  constructor(path: string) {
    super(path, `not a file: ${path}`);
  }
  override withPath(path: string): PathError {
    return new NotAFileError(path);
  }
}

/** A parent of the path is a file. */
export class NotADirectoryError extends PathError {
  readonly code = "not-a-directory";
  constructor(path: string) {
    super(path, `not a directory: ${path}`);
  }
  override withPath(path: string): PathError {
    return new NotADirectoryError(path);
  }
}

export class PermissionError extends PathError {
  readonly code = "permission";
  /** What the store itself said, for a person to read beside the message. */
  readonly reason: string | undefined;
  constructor(path: string, reason?: string) {
    super(path, `permission needed: ${path}`);
    this.reason = reason;
  }
  override withPath(path: string): PathError {
    return new PermissionError(path, this.reason);
  }
}

/** The store behind the tree does not answer: a closed database, refused storage, a cleared site. */
export class UnavailableError extends PathError {
  readonly code = "unavailable";
  /** What the store itself said, for a person to read beside the message. */
  readonly reason: string | undefined;
  constructor(path: string, reason?: string) {
    super(path, `unavailable: ${path}`);
    this.reason = reason;
  }
  override withPath(path: string): PathError {
    return new UnavailableError(path, this.reason);
  }
}

/** The same of a folder or store of somebody's: nothing that is kept here is at stake. */
export class ElsewhereError extends UnavailableError {
  override withPath(path: string): PathError {
    return new ElsewhereError(path, this.reason);
  }
}

/** A version of a file that lies elsewhere, whose contents nobody asked for while they were there. */
export class ContentsNotKeptError extends ElsewhereError {
  constructor(path: string) {
    super(path, "Its contents were not kept: it was changed elsewhere, and nobody here had read this version of it.");
  }
  override withPath(path: string): PathError {
    return new ContentsNotKeptError(path);
  }
}
