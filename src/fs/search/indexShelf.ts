import { NEEDED_BYTES } from "../grep/engineProtocol";
import type { SearchQuery } from "../fileSystem";
import type { FoundPassage } from "./foundPassage";
import { SearchIndex, type IndexedFile } from "./searchIndex";

/** Indexes kept: the mounts of a union are searched in turn. */
const KEPT_INDEXES = 8;
/** Share of its files that a tree must have in common with an index to follow on from it. */
const LIKE_SHARE = 0.5;

/** What a search comes to: passages, or the files whose texts must come first. */
export type ShelfAnswer =
  | { readonly kind: "found"; readonly passages: readonly FoundPassage[] }
  | { readonly kind: "needed"; readonly paths: readonly string[] };

/** The indexes a worker keeps, each brought to the tree that is asked about. */
export class IndexShelf {
  /** The one used last comes last. */
  #kept: { readonly index: SearchIndex; root: number }[] = [];
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

  /** `root` tells one tree from another. */
  search(root: number, files: readonly IndexedFile[], query: SearchQuery): ShelfAnswer {
    const index = this.#indexFor(root, files);
    const missing: IndexedFile[] = [];
    const used: string[] = [];
    index.outdated(files).forEach((file, at) => {
      if (at % 50 === 0) this.#onProgress();
      if (this.#texts.has(file.hash)) {
        index.add(file, this.#texts.get(file.hash));
        used.push(file.hash);
      } else missing.push(file);
    });
    // Only now: several files may have one text.
    for (const hash of used) this.#texts.delete(hash);
    if (missing.length > 0) return { kind: "needed", paths: firstPaths(missing) };
    return { kind: "found", passages: index.find(query) };
  }

  #indexFor(root: number, files: readonly IndexedFile[]): SearchIndex {
    const kept = this.#kept.find((other) => other.root === root) ??
      this.#alike(files) ?? { index: new SearchIndex(), root };
    kept.root = root;
    this.#kept = [...this.#kept.filter((other) => other !== kept), kept].slice(-KEPT_INDEXES);
    return kept.index;
  }

  #alike(files: readonly IndexedFile[]) {
    const [best] = this.#kept
      .map((kept) => ({ kept, share: kept.index.share(files) }))
      .toSorted((a, b) => b.share - a.share);
    return best !== undefined && best.share >= LIKE_SHARE ? best.kept : undefined;
  }
}

function firstPaths(files: readonly IndexedFile[]): string[] {
  const paths: string[] = [];
  let bytes = 0;
  for (const { path, sizeBytes } of files) {
    paths.push(path);
    bytes += sizeBytes;
    if (bytes >= NEEDED_BYTES) break;
  }
  return paths;
}
