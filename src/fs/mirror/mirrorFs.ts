import type { EditableFileSystem } from "../fileSystem";
import { importBatches } from "../importBatches";
import { inParallel } from "../inParallel";
import { limits } from "../../base";
import { bytesFromContents } from "../contents";
import { normalizeFsPath, validFsPath } from "../path";
import type { PathError } from "../pathError";
import { readVerbs, type TreeOptions } from "../snapshotVerbs";
import type { VersionedTree } from "../versionedTree";
import { walkedGrep } from "../walkedVerbs";
import { inlineEngine } from "../grep/inlineEngine";
import { MirrorEditor } from "./mirrorEditor";
import type { ListingOptions } from "./mirrorListing";
import type { MirrorMemory } from "./mirrorMemory";
import type { MirrorSource } from "./mirrorSource";
import { MirrorSearch } from "./mirrorSearch";
import { MirrorState } from "./mirrorState";

export interface MirrorOptions extends TreeOptions {
  /** Names the folder or store: ids of file versions rest on it. */
  readonly scope: string;
  readonly memory?: MirrorMemory;
}

export interface MirrorFileSystem extends EditableFileSystem, VersionedTree {
  /** Reads and writes go to the source from now on. Its files are known after the first `refresh`. */
  connect(source: MirrorSource): void;
  /** The source cannot be reached: what was last seen of it stays to be looked at, everything else is this error. */
  disconnect(why: PathError): void;
  /**
   * Looks for what others changed, which arrives as a change of the tree. One look at a time: who asks meanwhile gets its end.
   * @throws what listing throws, UnavailableError for too many files, an AbortError when it was stopped; the tree stays as it was
   */
  refresh(options?: ListingOptions): Promise<void>;
  /** The same for what may have changed at these paths only. @throws what `refresh` throws */
  refreshPaths(paths: readonly string[]): Promise<void>;
  /** What a version holds, if it is one of those that are there now; to be asked about what a stored snapshot names. */
  bytesOfVersion(id: string): Promise<Uint8Array | undefined>;
  /** Resolves when all that is to be remembered is. */
  close(): Promise<void>;
}

/**
 * A folder or store that others write too, as a versioned tree: what it lists is kept in memory and makes snapshots free;
 * contents are read when they are asked for and held against their version. Writes go straight through, on the condition
 * that the file is as it was last read here, or else last listed: a lost race is a ConflictError, after which the tree holds
 * what is there. An older snapshot still reads what was read of it, or changed from here, before; for the rest it throws
 * ContentsNotKeptError. Directories of a store that hold nothing live as long as the page.
 * @throws what the memory's `load` rejects with
 */
export async function mirrorFs(options: MirrorOptions): Promise<MirrorFileSystem> {
  const { engine = inlineEngine } = options;
  const state = await MirrorState.load(options.scope, options.memory);
  const editor = new MirrorEditor(state);
  const search = new MirrorSearch(state, engine);
  const { list, stat, glob } = readVerbs(() => state.tree);
  const walked = {
    list,
    stat: async (path: string) => {
      const info = await stat(path);
      return info.kind === "missing" ? undefined : { ...info, kind: info.kind, path: normalizeFsPath(path) };
    },
    fetch: ({ path }: { readonly path: string }) => state.fetchForSearch(path),
  };
  const write = async (path: string, contents: string | Uint8Array) => {
    // The caller may change its bytes while this one waits for its turn.
    const bytes = typeof contents === "string" ? bytesFromContents(contents) : contents.slice();
    await editor.write(validFsPath(path), bytes);
  };
  return {
    list,
    stat,
    glob,
    read: async (path) => state.read(validFsPath(path)),
    grep: (query) => walkedGrep(walked, engine, query),
    search: (query) => search.search(query),
    write,
    delete: async (path) => editor.delete(validFsPath(path)),
    rename: async (from, to) => editor.rename(validFsPath(from), validFsPath(to)),
    makeDirectory: async (path) => editor.makeDirectory(validFsPath(path)),
    removeDirectory: async (path) => editor.removeDirectory(validFsPath(path)),
    writeMany: async (files) => {
      for await (const batch of importBatches(files)) {
        editor.assertTogether(batch.map(([path]) => validFsPath(path)));
        await inParallel(batch, limits.hostRequests, ([path, contents]) => write(path, contents));
      }
    },
    snapshot: async () => state.tree,
    subscribe: state.subscribe,
    connect: (source) => state.connect(source),
    disconnect: (why) => state.disconnect(why),
    refresh: (listingOptions = {}) => state.refresh(listingOptions),
    refreshPaths: (paths) => state.refreshPaths(paths),
    bytesOfVersion: (id) => state.bytesOfVersion(id),
    close: () => state.close(),
  };
}
