import { limits, sha256HexSync } from "../base";
import type { DirEntry, FileSystem, GrepQuery, GrepResult } from "./fileSystem";
import { globBase } from "./globBase";
import { globMatcher } from "./globMatcher";
import { grepExpression } from "./grep/grepExpression";
import { TimeSlice } from "./grep/timeSlice";
import { grepFilter } from "./grepFilter";
import { inParallel } from "./inParallel";
import { joinFsPath, normalizeFsPath } from "./path";
import { resultCap } from "./resultCap";
import { SnapshotTree } from "./snapshotTree";
import type { FileEntry } from "./treeEntry";
import type { TreeEngine } from "./treeEngine";

/** A tree that is known by walking it and reading its files one by one. */
export interface WalkedTree {
  list(scope: string): AsyncIterable<DirEntry>;
  stat(path: string): Promise<DirEntry | undefined>;
  /** The bytes of a file, and what tells this version of them from others; `undefined` when it is gone by now. */
  fetch(file: DirEntry): Promise<{ readonly bytes: Uint8Array; readonly version: string } | undefined>;
}

/** Files that match, found by walking the part of the tree where they can be. */
export async function* walkedGlob(
  list: FileSystem["list"],
  pattern: string,
  dir: string,
): AsyncGenerator<DirEntry, void, undefined> {
  const scope = normalizeFsPath(dir);
  const matches = globMatcher(pattern);
  const start = scope === "/" ? 1 : scope.length + 1;
  const slice = new TimeSlice();
  for await (const entry of list(joinFsPath(scope, `./${globBase(pattern)}`))) {
    if (entry.kind === "file" && matches(entry.path.slice(start))) yield entry;
    if (slice.isOver) await slice.pause();
  }
}

/**
 * Searches with the engine, a batch of files at a time, while the next batch is being fetched.
 * @throws InvalidGrepPatternError and what reading throws
 */
export async function* walkedGrep(
  tree: WalkedTree,
  engine: TreeEngine,
  query: GrepQuery,
): AsyncGenerator<GrepResult, void, undefined> {
  const search = { ...query, path: normalizeFsPath(query.path ?? "/") };
  grepExpression(search);
  let left = resultCap(query.maxResults);
  const batches = fetchedBatches(tree, search);
  try {
    let coming = batches.next();
    for (let step = await coming; step.done !== true && left > 0; step = await coming) {
      coming = batches.next();
      coming.catch(() => undefined);
      const capped = left === Infinity ? search : { ...search, maxResults: left };
      for await (const hit of engine.grep(step.value, capped)) {
        yield hit;
        if (--left <= 0) return;
      }
    }
  } finally {
    await batches.return();
  }
}

async function* fetchedBatches(
  tree: WalkedTree,
  query: GrepQuery & { readonly path: string },
): AsyncGenerator<SnapshotTree, void, undefined> {
  const passes = grepFilter(query);
  let files: DirEntry[] = [];
  let sizeBytes = 0;
  const named = query.path === "/" ? undefined : await tree.stat(query.path);
  if (named?.kind === "file") {
    yield fetchedTree(tree, [named]);
    return;
  }
  for await (const entry of tree.list(query.path)) {
    if (entry.kind !== "file" || !passes(entry.path)) continue;
    files.push(entry);
    sizeBytes += entry.sizeBytes ?? 0;
    if (files.length < limits.walkedGrepFiles && sizeBytes < limits.walkedGrepBytes) continue;
    yield fetchedTree(tree, files);
    files = [];
    sizeBytes = 0;
  }
  if (files.length > 0) yield fetchedTree(tree, files);
}

async function fetchedTree(tree: WalkedTree, files: readonly DirEntry[]): Promise<SnapshotTree> {
  const fetched = await inParallel(files, limits.hostRequests, async (file) => {
    const found = await tree.fetch(file);
    return found && ([file.path, fetchedFile(file, found)] as const);
  });
  return SnapshotTree.empty.withFiles(fetched.filter((file) => file !== undefined));
}

function fetchedFile(
  { path, modifiedAt = 0 }: DirEntry,
  { bytes, version }: { readonly bytes: Uint8Array; readonly version: string },
): FileEntry {
  return {
    kind: "file",
    // Whatever tells one version from another serves an engine that keeps texts; the bytes need not be hashed for it.
    hash: sha256HexSync(`${path}\0${version}`),
    sizeBytes: bytes.length,
    modifiedAt,
    bytes: () => Promise.resolve(bytes),
    bytesNow: () => bytes,
  };
}
