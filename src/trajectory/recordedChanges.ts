import { normalizeFsPath, PathError, SnapshotTree } from "../fs";
import type { FileChange, SessionEvent } from "../session";
import { blobFile, type BlobReader } from "./blobFile";

/**
 * Files an event changed, by their paths in a tree (relative ones lie below its root): as the log says, or, of an import, as far as whole texts show what a file was after a call.
 * What it was before is told where the recording shows that too.
 */
export function recordedChanges(event: SessionEvent | undefined): readonly FileChange[] {
  if (event?.type === "tree.changed") return event.data.changes ?? [];
  if (event?.type !== "action.result") return [];
  const { changes, evidence } = event.data;
  if (changes !== undefined || evidence === undefined) return changes ?? [];
  return evidence.flatMap(({ path, blob, sizeBytes, known }): FileChange[] => {
    if (known !== "after") return [];
    const before = evidence.find((other) => other.path === path && other.known === "before");
    return [
      { path: normalizeFsPath(path), after: blob, sizeBytes, ...(before === undefined ? {} : { before: before.blob }) },
    ];
  });
}

/** The files a recording began with, as far as it shows whole texts of them: read, or there before a write. */
export class EvidencedStart {
  #tree = SnapshotTree.empty;
  readonly #seen = new Set<string>();
  readonly #blobs: BlobReader;

  constructor(blobs: BlobReader) {
    this.#blobs = blobs;
  }

  get tree(): SnapshotTree {
    return this.#tree;
  }

  add(event: SessionEvent): void {
    if (event.type !== "action.result") return;
    for (const { path, blob, sizeBytes, known } of event.data.evidence ?? []) {
      if (this.#seen.has(path)) continue;
      this.#seen.add(path);
      if (known !== "after") this.#put(path, blob, sizeBytes);
    }
  }

  /** What is a file in one place and a directory in another has no place in a tree. */
  #put(path: string, blob: string, sizeBytes: number): void {
    try {
      this.#tree = this.#tree.withFile(path, blobFile(path, { after: blob, sizeBytes }, 0, this.#blobs));
    } catch (error) {
      if (!(error instanceof PathError)) throw error;
    }
  }
}
