import { isUnder, type SnapshotTree } from "../fs";
import type { MountKind, MountRecord, MountSource } from "./mountRecord";
import type { MountProgress, MountState, MountStatus } from "./mountStatus";

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
  /** Why its files cannot be reached; beside `ready`, what is not as it should be. */
  readonly error?: string;
}

/** What a view is made of. */
export interface ViewedMount {
  readonly record: MountRecord;
  readonly tree: SnapshotTree;
  readonly status: MountStatus;
}

export function mountViews(mounts: readonly ViewedMount[]): MountView[] {
  return mounts.map(({ record, tree, status }) => ({
    id: record.id,
    prefix: record.prefix,
    kind: record.kind,
    source: record,
    color: record.color,
    fileCount: tree.fileCount,
    sizeBytes: tree.sizeBytes,
    hides: mounts.flatMap((other) => {
      const fileCount = hiddenFiles(other.record.prefix, other.tree, record.prefix);
      return fileCount > 0 ? [{ prefix: other.record.prefix, fileCount }] : [];
    }),
    ...status,
    readOnly: record.readOnly || status.readOnlyReason !== undefined,
  }));
}

/** Files of the tree at `outer` that the mount at `inner` covers. */
function hiddenFiles(outer: string, tree: SnapshotTree, inner: string): number {
  if (outer === inner || !isUnder(inner, outer)) return 0;
  const entry = tree.entry(outer === "/" ? inner : inner.slice(outer.length));
  if (!entry) return 0;
  return entry.kind === "file" ? 1 : entry.fileCount;
}
