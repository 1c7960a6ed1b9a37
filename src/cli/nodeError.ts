import { getSystemErrorMap } from "node:util";
import {
  FileNotFoundError,
  InvalidPathError,
  NotADirectoryError,
  NotAFileError,
  PathError,
  PermissionError,
  QuotaError,
  ReadOnlyMountError,
  UnavailableError,
  WriteFailedError,
} from "../fs";
import { isNodeError } from "./isNodeError";

/** The error of a tree for what the operating system said about a path; its words name no path of the computer. */
export function errorFromNode(path: string, error: unknown, isWrite: boolean): unknown {
  if (error instanceof PathError || !isNodeError(error)) return error;
  const reason = systemMessage(error);
  switch (error.code) {
    case "ENOENT":
      return path === "/" ? new UnavailableError(path, "The directory is not there.") : new FileNotFoundError(path);
    case "ENOTDIR":
      return path === "/" ? new UnavailableError(path, "It is not a directory.") : new NotADirectoryError(path);
    case "EISDIR":
      return new NotAFileError(path);
    case "EACCES":
    case "EPERM":
      return new PermissionError(path, reason);
    case "EROFS":
      return new ReadOnlyMountError(path);
    case "ENOSPC":
    case "EDQUOT":
      return new QuotaError(path);
    case "ENAMETOOLONG":
    case "EILSEQ":
    case "ERR_INVALID_ARG_VALUE":
      return new InvalidPathError(path);
    default:
      return isWrite ? new WriteFailedError(path, reason) : new UnavailableError(path, reason);
  }
}

/** Whether the system means that nothing is at a place, nothing can be, or a link there leads nowhere. */
export function isNothingThere(error: unknown): boolean {
  return isNodeError(error) && ["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG", "EILSEQ"].includes(error.code);
}

/** Whether the system keeps this program from a place. */
export function isForbidden(error: unknown): boolean {
  return isNodeError(error) && (error.code === "EACCES" || error.code === "EPERM");
}

/** What the system says, without the paths that Node puts around it. */
export function systemMessage(error: NodeJS.ErrnoException): string {
  const known = error.errno === undefined ? undefined : getSystemErrorMap().get(error.errno);
  return known?.[1] ?? error.code ?? error.message;
}
