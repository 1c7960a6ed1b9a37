import MiniSearch from "minisearch";
import { limits } from "../../base";
import type { SearchQuery } from "../fileSystem";
import { globMatcher } from "../globMatcher";
import { isUnder, normalizeFsPath } from "../path";
import type { FoundPassage } from "./foundPassage";
import { passagesOf } from "./passages";
import { searchTerms } from "./searchTerms";

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

/** How much more a word counts in what a passage declares and in its path (docs/performance.md). */
const BOOST = { name: 2, path: 1.5 };

/** The passages of one tree, by rank. Brought from one tree to the next by the files that differ. */
export class SearchIndex {
  readonly #ranked = new MiniSearch<PassageDocument>({
    fields: ["name", "path", "text"],
    tokenize: searchTerms,
    // The terms come ready from the tokenizer.
    processTerm: (term) => term,
    searchOptions: { boost: BOOST },
  });
  readonly #files = new Map<string, { readonly hash: string; readonly ids: number[] }>();
  readonly #passages = new Map<number, Omit<FoundPassage, "score">>();
  #lastId = 0;

  /** How much of these files it holds already, from 0 to 1, judged by a sample. */
  share(files: readonly IndexedFile[]): number {
    const step = Math.max(1, Math.floor(files.length / 64));
    const sample = files.filter((_file, index) => index % step === 0);
    return sample.filter((file) => this.#holds(file)).length / Math.max(1, sample.length);
  }

  /** Drops what is not among the files; gives those that must be added. */
  outdated(files: readonly IndexedFile[]): IndexedFile[] {
    const hashes = new Map(files.map(({ path, hash }) => [path, hash]));
    for (const [path, { hash }] of this.#files) if (hashes.get(path) !== hash) this.#remove(path);
    return files.filter((file) => !this.#holds(file));
  }

  /** Adds a file by its text. One without a text (`undefined`), or too large for one of a person, has no passages. */
  add({ path, hash, sizeBytes }: IndexedFile, text: string | undefined): void {
    const ids: number[] = [];
    this.#files.set(path, { hash, ids });
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

  #holds({ path, hash }: IndexedFile): boolean {
    return this.#files.get(path)?.hash === hash;
  }

  #remove(path: string): void {
    for (const id of this.#files.get(path)?.ids ?? []) {
      this.#ranked.discard(id);
      this.#passages.delete(id);
    }
    this.#files.delete(path);
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
