import { NEEDED_BYTES } from "../grep/engineProtocol";
import type { SearchQuery } from "../fileSystem";
import type { SnapshotTree } from "../snapshotTree";
import type { FoundPassage } from "./foundPassage";
import { SearchIndex, type IndexedFile } from "./searchIndex";

/** Indexes kept: the mounts of a union are searched in turn. */
const KEPT_INDEXES = 8;
/** Files after which somebody is told that work goes on. */
const PROGRESS_FILES = 50;

/** What a search comes to: passages, or the files whose texts must come first. */
export type ShelfAnswer =
  | { readonly kind: "found"; readonly passages: readonly FoundPassage[] }
  | { readonly kind: "needed"; readonly paths: readonly string[] };

/** An index on its way to a tree. */
interface KeptIndex {
  readonly index: SearchIndex;
  target: SnapshotTree;
  /** The files to be added, and how many of them were. */
  pending: readonly IndexedFile[];
  added: number;
}

/** The indexes a worker keeps, each brought to the tree that is asked about. */
export class IndexShelf {
  /** The one used last comes last. */
  #kept: KeptIndex[] = [];
  /** Texts that have come and are not indexed yet; `undefined` for a file that is no text. */
  readonly #texts = new Map<string, string | undefined>();
  readonly #onProgress: () => void;

  /** `onProgress` is called now and then during long work. */
  constructor(onProgress: () => void) {
    this.#onProgress = onProgress;
  }

  addText(hash: string, text: string | undefined): void {
    this.#texts.set(hash, text);
  }

  search(tree: SnapshotTree, query: SearchQuery): ShelfAnswer {
    const kept = this.#indexFor(tree);
    const used: string[] = [];
    for (; kept.added < kept.pending.length; kept.added++) {
      const file = kept.pending[kept.added];
      if (file === undefined || !this.#texts.has(file.hash)) break;
      if (kept.added % PROGRESS_FILES === 0) this.#onProgress();
      kept.index.add(file, this.#texts.get(file.hash));
      used.push(file.hash);
    }
    // Only now: several files may have one text.
    for (const hash of used) this.#texts.delete(hash);
    if (kept.added < kept.pending.length) return { kind: "needed", paths: firstPaths(kept.pending, kept.added) };
    kept.index.settle(tree);
    return { kind: "found", passages: kept.index.find(query) };
  }

  #indexFor(tree: SnapshotTree): KeptIndex {
    const isSame = ({ target }: KeptIndex) => target.root.children === tree.root.children;
    const before = this.#kept.find(isSame) ?? this.#kept.find(({ index }) => index.isLike(tree));
    const index = before?.index ?? new SearchIndex();
    const kept =
      before !== undefined && isSame(before)
        ? before
        : { index, target: tree, pending: index.outdated(tree), added: 0 };
    this.#kept = [...this.#kept.filter((other) => other !== before), kept].slice(-KEPT_INDEXES);
    return kept;
  }
}

function firstPaths(files: readonly IndexedFile[], from: number): string[] {
  const paths: string[] = [];
  for (let at = from, bytes = 0; at < files.length && bytes < NEEDED_BYTES; at++) {
    const file = files[at];
    if (file === undefined) break;
    paths.push(file.path);
    bytes += file.sizeBytes;
  }
  return paths;
}
