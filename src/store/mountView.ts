import type { MountKind, MountSource } from "./mountRecord";

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

/** A mount with what is in it, as the table shows it. */
export interface MountView {
  readonly id: string;
  readonly prefix: string;
  readonly kind: MountKind;
  /** Where its files come from, as the project keeps it. */
  readonly source: MountSource;
  /** Whether it takes no writes: because a person wished so, or for `readOnlyReason`. */
  readonly readOnly: boolean;
  /** Why it could not be written even if a person wished. */
  readonly readOnlyReason?: string;
  readonly state: MountState;
  /** How far opening or filling it is. */
  readonly progress?: MountProgress;
  /** 1…8: one of the theme's mount colours. */
  readonly color: number;
  readonly fileCount: number;
  readonly sizeBytes: number;
  /** Files of mounts with a shorter path that lie under this one's and are therefore never seen. */
  readonly hides: readonly { readonly prefix: string; readonly fileCount: number }[];
  /** Why its files cannot be reached. */
  readonly error?: string;
}
