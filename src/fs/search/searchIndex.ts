import MiniSearch from "minisearch";
import { limits } from "../../base";
import type { SearchQuery } from "../fileSystem";
import { diffTrees } from "../diffTrees";
import { globMatcher } from "../globMatcher";
import { isUnder, normalizeFsPath } from "../path";
import { SnapshotTree } from "../snapshotTree";
import type { FoundPassage } from "./foundPassage";
import { passagesOf } from "./passages";
import { identifierTerms, queryTerms, wordTerms } from "./searchTerms";

/** A file the index is to hold. */
export interface IndexedFile {
  readonly path: string;
  readonly hash: string;
  readonly sizeBytes: number;
}

interface PassageDocument {
  readonly id: number;
  readonly name: string;
  readonly path: string;
  readonly text: string;
}

const FIELDS = ["name", "path", "text", "identifiers"];

/** How much more a word counts in what a passage declares and in its path (docs/performance.md). */
const BOOST = { name: 3, path: 2 };

/** Files by which an index is compared with a tree. */
const SAMPLED_FILES = 64;

/** The passages of one tree, by rank. Brought from one tree to the next by the files that differ. */
export class SearchIndex {
  readonly #ranked = new MiniSearch<PassageDocument>({
    fields: FIELDS,
    extractField: (passage, field) =>
      field === "identifiers" ? `${passage.name} ${passage.text}` : passage[field as keyof PassageDocument],
    tokenize: (text, field) => (field === "identifiers" ? identifierTerms(text) : wordTerms(text)),
    // The terms come ready from the tokenizer.
    processTerm: (term) => term,
    searchOptions: { boost: BOOST, tokenize: queryTerms },
  });
  readonly #files = new Map<string, { readonly hash: string; readonly ids: number[] }>();
  /** The last tree whose files were all indexed. */
  #tree = SnapshotTree.empty;
  readonly #passages = new Map<number, Omit<FoundPassage, "score">>();
  /** Added or dropped since, on the way to a tree that may never have been reached. */
  readonly #touched = new Set<string>();
  #lastId = 0;

  /** Whether it is less work to follow on from here to a tree than to begin anew: judged by a sample. */
  isLike(tree: SnapshotTree): boolean {
    const indexed = this.#files.size;
    if (indexed === 0 || Math.abs(indexed - tree.fileCount) > tree.fileCount / 2) return false;
    const step = Math.max(1, Math.floor(indexed / SAMPLED_FILES));
    const sample = [...this.#files].filter((_file, index) => index % step === 0);
    return sample.filter(([path, { hash }]) => tree.file(path)?.hash === hash).length >= sample.length / 2;
  }

  /** Drops what is not in the tree; gives the files of it that must be added. Looks only at what has changed. */
  outdated(tree: SnapshotTree): IndexedFile[] {
    const missing: IndexedFile[] = [];
    const paths = new Set([...this.#touched, ...diffTrees(this.#tree, tree).map(({ path }) => path)]);
    for (const path of paths) {
      const file = tree.file(path);
      const held = this.#files.get(path);
      if (held !== undefined && held.hash !== file?.hash) this.#remove(path);
      if (file !== undefined && held?.hash !== file.hash) {
        missing.push({ path, hash: file.hash, sizeBytes: file.sizeBytes });
      }
    }
    return missing;
  }

  /** All files of the tree were added. */
  settle(tree: SnapshotTree): void {
    this.#tree = tree;
    this.#touched.clear();
  }

  /** Adds a file by its text. One without a text (`undefined`), or too large for one of a person, has no passages. */
  add({ path, hash, sizeBytes }: IndexedFile, text: string | undefined): void {
    const ids: number[] = [];
    this.#files.set(path, { hash, ids });
    this.#touched.add(path);
    if (text === undefined || sizeBytes > limits.searchFileBytes) return;
    const lines = text.split("\n");
    for (const { name, startLine, endLine } of passagesOf(path, text)) {
      const id = ++this.#lastId;
      this.#ranked.add({ id, name, path, text: lines.slice(startLine - 1, endLine).join("\n") });
      this.#passages.set(id, { path, startLine, endLine });
      ids.push(id);
    }
  }

  /** The best passages, highest score first, then by path and line. */
  find({ query, paths, maxResults = limits.searchResults }: SearchQuery): FoundPassage[] {
    const isInScope = scopeFilter(paths);
    return this.#ranked
      .search(query)
      .flatMap(({ id, score }) => {
        const passage = this.#passages.get(id as number);
        return passage !== undefined && isInScope(passage.path) ? [{ ...passage, score }] : [];
      })
      .toSorted(byRank)
      .slice(0, maxResults);
  }

  #remove(path: string): void {
    for (const id of this.#files.get(path)?.ids ?? []) {
      this.#ranked.discard(id);
      this.#passages.delete(id);
    }
    this.#files.delete(path);
    this.#touched.add(path);
  }
}

function byRank(a: FoundPassage, b: FoundPassage): number {
  if (a.score !== b.score) return b.score - a.score;
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.startLine - b.startLine;
}

/** Paths name files or directories; with `*`, `?`, `[` or `{` they are globs. */
function scopeFilter(paths: readonly string[] | undefined): (path: string) => boolean {
  if (paths === undefined || paths.length === 0) return () => true;
  const scopes = paths.map((scope) => {
    const normal = normalizeFsPath(scope);
    const matches = /[*?[{]/.test(scope) ? globMatcher(scope) : undefined;
    return (path: string) => isUnder(path, normal) || (matches?.(path.slice(1)) ?? false);
  });
  return (path) => scopes.some((isInScope) => isInScope(path));
}
