import { PathError } from "../../fs";
import { HOST_ROOT } from "../host";
import { HostDiskError, type HostDiskErrorCode } from "./hostCommand";

const WORDS: Readonly<Record<HostDiskErrorCode, string>> = {
  ENOENT: "no such file or directory",
  EEXIST: "file exists",
  EISDIR: "is a directory",
  ENOTDIR: "not a directory",
  ENOTEMPTY: "directory not empty",
  EINVAL: "invalid argument",
  ELOOP: "too many symbolic links",
  EROFS: "read-only file system",
  EPERM: "operation not permitted",
  ENOSPC: "storage full: the browser gives this site no more room",
  EIO: "the disk does not answer",
};

/** Codes a command is asked to expect; the others are about the disk, and are told whatever the command prints. */
const EXPECTED: ReadonlySet<HostDiskErrorCode> = new Set([
  "ENOENT",
  "EEXIST",
  "EISDIR",
  "ENOTDIR",
  "ENOTEMPTY",
  "EINVAL",
]);

export function isDiskFault(error: unknown): error is HostDiskError {
  return error instanceof HostDiskError && !EXPECTED.has(error.code);
}

/** The refusal of `path`, which is one of the host. */
export function hostDiskError(code: HostDiskErrorCode, path: string, words = WORDS[code]): HostDiskError {
  return new HostDiskError(code, path, words);
}

/** What the tree behind threw about a path of its own, as POSIX names it. */
export function faultFromError(error: unknown, path: string): HostDiskError {
  if (error instanceof HostDiskError) return error;
  const [code, words] = codeFromError(error);
  const where = error instanceof PathError && error.path !== "/" ? hostPathFromDisk(error.path) : path;
  return new HostDiskError(code, where, words, { cause: error });
}

/** A path of the disk as one of the host. */
export function hostPathFromDisk(path: string): string {
  return path === "/" ? HOST_ROOT : `${HOST_ROOT}${path}`;
}

function codeFromError(error: unknown): readonly [HostDiskErrorCode, string] {
  if (!(error instanceof PathError)) return ["EIO", error instanceof Error ? error.message : String(error)];
  switch (error.code) {
    case "not-found":
      return ["ENOENT", WORDS.ENOENT];
    case "not-a-file":
      return ["EISDIR", WORDS.EISDIR];
    case "not-a-directory":
      return ["ENOTDIR", WORDS.ENOTDIR];
    case "conflict":
      return ["EEXIST", WORDS.EEXIST];
    case "invalid-path":
      return ["EINVAL", WORDS.EINVAL];
    case "quota":
      return ["ENOSPC", WORDS.ENOSPC];
    case "read-only-mount":
      return ["EROFS", WORDS.EROFS];
    default:
      return ["EIO", (error as { readonly reason?: string }).reason ?? error.message];
  }
}
