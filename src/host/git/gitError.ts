/** What ends a git command before its time. The message is what standard error shows, the exit code git's own. */
export class GitError extends Error {
  override readonly name = "GitError";
  readonly code: GitErrorCode;

  constructor(code: GitErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
  }
}

/** `usage`: it does not take that; `refused`: it will not, as things are; `fatal`: it cannot. */
export type GitErrorCode = "usage" | "refused" | "fatal";

/** As git exits. */
export const gitExitCodes: Readonly<Record<GitErrorCode, number>> = { usage: 129, refused: 1, fatal: 128 };
