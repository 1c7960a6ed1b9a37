import { PathError, type DirectoryFileSystem } from "../fs";
import { messageFromError } from "./messageFromError";

/**
 * `opening`: being opened, listed or filled, with `progress` · `ready` · `needs-permission`: the browser asks the person for the
 * folder (`askMountPermission`) · `needs-credentials`: `giveMountCredentials` · `needs-source`: its folder, address or file is to
 * be chosen again (`editMount` with a source) · `failed`: `error` says why, `reopenMount` tries again.
 */
export type MountState = "opening" | "ready" | "needs-permission" | "needs-credentials" | "needs-source" | "failed";

export interface MountProgress {
  readonly files: number;
  readonly bytes: number;
  /** Files in all, where that is known. */
  readonly total?: number;
}

/** How it is with a mount beside what is in it. */
export interface MountStatus {
  readonly state: MountState;
  readonly progress?: MountProgress;
  /** Why its files cannot be reached, or not all of them. */
  readonly error?: string;
  /** Why it cannot be written even if a person wished. */
  readonly readOnlyReason?: string;
}

export const readyStatus: MountStatus = { state: "ready" };

/** Words of a store or folder for what went wrong with it. */
export function outsideProblem(error: unknown): string {
  if (error instanceof PathError && "reason" in error && typeof error.reason === "string") return error.reason;
  return messageFromError(error);
}

/** Why this browser cannot mount folders of the computer, in words; `undefined` when it can. */
export function folderProblem(): string | undefined {
  if ("showDirectoryPicker" in globalThis) return undefined;
  return "This browser does not let pages open folders of this computer; Chrome and Edge do. A folder that is dropped on the files is copied instead.";
}

/** The folder's permission, in words for the table. */
export function permissionStatus(permission: Awaited<ReturnType<DirectoryFileSystem["permission"]>>): MountStatus {
  const error =
    permission === "denied"
      ? "The browser was told not to let this page use the folder. Allow it in the site's settings, or choose the folder again."
      : "The browser asks again before this page may use the folder.";
  return { state: "needs-permission", error };
}
