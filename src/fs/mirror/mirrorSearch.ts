import { limits } from "../../base";
import type { SearchQuery, SearchResult } from "../fileSystem";
import { inParallel } from "../inParallel";
import { isUnder, normalizeFsPath } from "../path";
import { SnapshotTree } from "../snapshotTree";
import type { TreeEngine } from "../treeEngine";
import type { FileEntry } from "../treeEntry";
import { MirroredFile } from "./mirroredFile";
import type { MirrorState } from "./mirrorState";

/**
 * Search of a mirror. All in scope is read and searched where little enough of it is to be read (`limits.mirrorSearchFiles`,
 * `limits.mirrorSearchBytes`); where it is more, or the source is not there, what was read before is.
 */
export class MirrorSearch {
  readonly #state: MirrorState;
  readonly #engine: TreeEngine;
  /** A memo: the same tree is told by the engine as the same. */
  #last: { readonly of: SnapshotTree; readonly scope: string; readonly tree: SnapshotTree } | undefined;

  constructor(state: MirrorState, engine: TreeEngine) {
    this.#state = state;
    this.#engine = engine;
  }

  /** @throws what reading a file throws */
  async *search(query: SearchQuery): AsyncGenerator<SearchResult, void, undefined> {
    const scope = (query.paths ?? ["/"]).map(normalizeFsPath);
    yield* this.#engine.search(await this.#searched(scope), query);
  }

  async #searched(scope: readonly string[]): Promise<SnapshotTree> {
    const { tree } = this.#state;
    const key = scope.join("\0");
    if (this.#last?.of === tree && this.#last.scope === key) return this.#last.tree;
    const files: MirroredFile[] = [];
    for (const [path, file] of tree.files()) {
      if (!(file instanceof MirroredFile) || file.sizeBytes > limits.searchFileBytes) continue;
      if (scope.some((top) => isUnder(path, top))) files.push(file);
    }
    const unread = files.filter((file) => file.bytesNow() === undefined);
    if (!this.#state.isConnected || !isLittle(unread)) {
      return this.#treeOf(files.filter((file) => file.bytesNow() !== undefined));
    }
    await inParallel(unread, limits.hostRequests, (file) => this.#bytesOf(file));
    const searched = this.#treeOf(files);
    if (this.#state.tree === tree) this.#last = { of: tree, scope: key, tree: searched };
    return searched;
  }

  #treeOf(files: readonly MirroredFile[]): SnapshotTree {
    return SnapshotTree.empty.withFiles(
      files.map((file): [string, FileEntry] => {
        const { kind, hash, sizeBytes, modifiedAt } = file;
        const bytes = () => this.#bytesOf(file);
        return [file.path, { kind, hash, sizeBytes, modifiedAt, bytes, bytesNow: () => file.bytesNow() }];
      }),
    );
  }

  /** Not the way of a reader: who searches has not seen the file, and a write of it goes by what was seen. */
  async #bytesOf(file: MirroredFile): Promise<Uint8Array> {
    const held = file.bytesNow();
    if (held !== undefined) return held;
    const found = await this.#state.fetchForSearch(file.path);
    if (found !== undefined && (found.version === file.version || found.version === file.hash)) return found.bytes;
    // Changed or taken away since it was listed: the tree learns it, and the next search finds what is there.
    await this.#state.lookAgain(file.path);
    return new Uint8Array();
  }
}

function isLittle(files: readonly MirroredFile[]): boolean {
  const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
  return files.length <= limits.mirrorSearchFiles && sizeBytes <= limits.mirrorSearchBytes;
}
