import {
  FileNotFoundError,
  InvalidPathError,
  NotAFileError,
  PathError,
  PermissionError,
  QuotaError,
  ElsewhereError,
  WriteFailedError,
} from "../pathError";

/** Asks the person for the folder; to be called right after a click. Whether the page may use it now. */
export type AskPermission = () => Promise<boolean>;

/** The browser keeps the page from the folder until the person allows it, anew after every reload. */
export class DirectoryPermissionError extends PermissionError {
  readonly askAgain: AskPermission;

  constructor(path: string, askAgain: AskPermission) {
    super(path, "The browser asks again before a page may use a folder of this computer.");
    this.askAgain = askAgain;
  }

  override withPath(path: string): PathError {
    return new DirectoryPermissionError(path, this.askAgain);
  }
}

/** The error of a tree for what the File System Access API threw about a path. */
export function errorFromDirectory(path: string, error: unknown, ask: AskPermission): unknown {
  if (error instanceof PathError) return error;
  // A name that this browser or the disk below does not take.
  if (error instanceof TypeError) return new InvalidPathError(path);
  if (!(error instanceof DOMException)) return error;
  switch (error.name) {
    case "NotAllowedError":
    case "SecurityError":
      return new DirectoryPermissionError(path, ask);
    case "NotFoundError":
      return path === "/" ? new ElsewhereError(path, "The folder is no longer there.") : new FileNotFoundError(path);
    case "TypeMismatchError":
      return new NotAFileError(path);
    case "QuotaExceededError":
      return new QuotaError(path);
    case "NoModificationAllowedError":
    case "InvalidModificationError":
      return new WriteFailedError(path, error.message);
    default:
      return new ElsewhereError(path, error.message);
  }
}

/** Whether an error of the API means that there is nothing of this kind at the place. */
export function isNothingThere(error: unknown): boolean {
  return error instanceof DOMException && (error.name === "NotFoundError" || error.name === "TypeMismatchError");
}
