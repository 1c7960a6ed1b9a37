import { limits } from "../../base";
import { ElsewhereError } from "../pathError";
import type { SnapshotTree } from "../snapshotTree";
import { MirroredFile } from "./mirroredFile";
import type { MirrorSource, SourceEntry } from "./mirrorSource";

/** How far a listing is. */
export interface ListingProgress {
  readonly files: number;
  readonly bytes: number;
}

export interface ListingOptions {
  readonly signal?: AbortSignal;
  /** Called now and then. */
  readonly progress?: (progress: ListingProgress) => void;
}

/** All that a source holds, without contents. */
export interface Listing {
  readonly files: ReadonlyMap<string, SourceEntry>;
  readonly directories: ReadonlySet<string>;
}

/** Files after which progress is told. */
const TOLD_FILES = 200;

/** @throws ElsewhereError when there are too many files; what listing throws; an AbortError when it was stopped */
export async function wholeListing(
  source: MirrorSource,
  { signal = new AbortController().signal, progress }: ListingOptions,
): Promise<Listing> {
  const files = new Map<string, SourceEntry>();
  const directories = new Set<string>();
  let bytes = 0;
  for await (const entry of source.list("/", signal)) {
    signal.throwIfAborted();
    if (entry.kind === "directory") {
      directories.add(entry.path);
      continue;
    }
    files.set(entry.path, entry);
    bytes += entry.sizeBytes ?? 0;
    if (files.size > limits.mirrorFiles) {
      const most = limits.mirrorFiles.toLocaleString("en");
      throw new ElsewhereError("/", `It holds more than ${most} files. Mount a folder of it.`);
    }
    if (files.size % TOLD_FILES === 0) progress?.({ files: files.size, bytes });
  }
  signal.throwIfAborted();
  progress?.({ files: files.size, bytes });
  return { files, directories };
}

export interface ListingToApply {
  readonly tree: SnapshotTree;
  readonly listing: Listing;
  /** The file an entry is. */
  readonly fileOf: (entry: SourceEntry) => MirroredFile;
  /** Whether the tree knows better what is at a path: it was written from here while the listing was made. */
  readonly isNewer: (path: string) => boolean;
  /** Whether a directory stays although the source has none there. */
  readonly isKept: (directory: string) => boolean;
}

/** The tree with all that differs in the listing; the same object when nothing does. */
export function treeFromListing({ tree, listing, fileOf, isNewer, isKept }: ListingToApply): SnapshotTree {
  const { files, directories } = listing;
  const gone: string[] = [];
  for (const [path, entry] of tree.walk()) {
    const isThere = entry.kind === "file" ? files.has(path) : directories.has(path) || isKept(path);
    const isDropped = entry.kind === "file" || (entry.isExplicit && entry.fileCount === 0) || files.has(path);
    if (!isThere && isDropped && !isNewer(path)) gone.push(path);
  }
  const fresh: [string, MirroredFile][] = [];
  for (const [path, entry] of files) {
    if (isNewer(path)) continue;
    const there = tree.file(path);
    if (there instanceof MirroredFile && there.version === entry.version) continue;
    fresh.push([path, fileOf(entry)]);
  }
  // Deepest first: a directory goes when what was below it has.
  let changed = gone.toReversed().reduce((rest, path) => rest.without(path), tree);
  changed = changed.withFiles(fresh.filter(([path]) => changed.entry(path)?.kind !== "directory"));
  for (const path of directories) {
    if (changed.entry(path) === undefined && !isNewer(path)) changed = changed.withDirectory(path);
  }
  return changed;
}
