import { ElsewhereError, PathError, PermissionError, UnavailableError } from "../fs";

const ADVICE: Partial<Record<PathError["code"], string>> = {
  quota: "Delete files, sessions or projects to make room. Export first what should be kept.",
  conflict: "It was changed elsewhere; look at it again.",
  unavailable: "The browser does not give the stored data; reload the page, or export what is open.",
  "invalid-path": "A name may have at most 255 bytes and no NUL.",
};

/** What went wrong, in words for a person, with the way out where there is a usual one. */
export function messageFromError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ((error instanceof ElsewhereError || error instanceof PermissionError) && error.reason) {
    return `${error.message}. ${error.reason}`;
  }
  if (error instanceof UnavailableError && error.reason) {
    // The page may hold the last of it: a reload shows only what is stored.
    return `${error.message}. ${error.reason} Copy or export what is still open before you reload the page.`;
  }
  const advice = error instanceof PathError ? ADVICE[error.code] : undefined;
  return advice ? `${error.message}. ${advice}` : error.message;
}
