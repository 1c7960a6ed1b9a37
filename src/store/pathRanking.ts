import { limits, nextTask } from "../base";
import { diffTrees, type SnapshotTree } from "../fs";

export interface RankedPaths {
  readonly paths: readonly string[];
  /** Files that match and are not among `paths`. */
  readonly furtherMatches: number;
}

/**
 * Ranks the paths of a tree by what a person types: whole words and file names before scattered letters. Works in slices
 * that leave the thread free; letters typed on look only among what matched before them.
 */
export class PathRanking {
  #tree: SnapshotTree | undefined;
  /** Every file's path in order, and the same in small letters. */
  #paths: PathList = emptyList;
  /** What matched last, by its place in which paths. */
  #last: { readonly wanted: string; readonly of: PathList; readonly matches: Uint32Array } | undefined;

  /** The best paths for a query, or nothing once it is no longer wanted. */
  async rank(tree: SnapshotTree, query: string, signal: AbortSignal): Promise<RankedPaths | undefined> {
    const slice = timeSlices(signal);
    const paths = await this.#pathsOf(tree, slice);
    if (paths === undefined) return undefined;
    const wanted = query.toLowerCase().replaceAll(" ", "");
    const last = this.#last;
    const among = last?.of === paths && wanted.startsWith(last.wanted) ? last.matches : undefined;
    const ranked = await rankedOf(paths, among, wanted, slice);
    if (ranked === undefined) return undefined;
    this.#last = { wanted, of: paths, matches: ranked.matches };
    return { paths: ranked.best, furtherMatches: ranked.matches.length - ranked.best.length };
  }

  async #pathsOf(tree: SnapshotTree, slice: () => Promise<boolean>): Promise<PathList | undefined> {
    if (tree === this.#tree) return this.#paths;
    const paths = (this.#tree && followed(this.#paths, this.#tree, tree)) ?? (await listedPaths(tree, slice));
    if (paths === undefined) return undefined;
    this.#tree = tree;
    this.#paths = paths;
    return paths;
  }
}

interface PathList {
  readonly whole: readonly string[];
  readonly lower: readonly string[];
}

const emptyList: PathList = { whole: [], lower: [] };

/** Between pieces of work: lets others run when it has been long; false once the work is no longer wanted. */
function timeSlices(signal: AbortSignal): () => Promise<boolean> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began > limits.workSliceMs) {
      await nextTask();
      began = performance.now();
    }
    return !signal.aborted;
  };
}

/** Paths looked at between two looks at the clock. */
const STRIDE = 500;

async function listedPaths(tree: SnapshotTree, slice: () => Promise<boolean>): Promise<PathList | undefined> {
  const whole: string[] = [];
  const lower: string[] = [];
  for (const [path] of tree.files()) {
    whole.push(path);
    lower.push(path.toLowerCase());
    if (whole.length % STRIDE === 0 && !(await slice())) return undefined;
  }
  return { whole, lower };
}

/** The list after a change of the tree; nothing when that is more work than listing all anew. */
function followed(list: PathList, before: SnapshotTree, after: SnapshotTree): PathList | undefined {
  const steps = diffTrees(before, after).filter(({ kind }) => kind !== "modified");
  if (steps.length === 0) return list;
  if (steps.length > STRIDE) return undefined;
  const [whole, lower] = [[...list.whole], [...list.lower]];
  for (const { path, kind } of steps) {
    const place = placeFor(whole, path);
    const fresh = kind === "added" ? [path] : [];
    whole.splice(place, 1 - fresh.length, ...fresh);
    lower.splice(place, 1 - fresh.length, ...fresh.map((added) => added.toLowerCase()));
  }
  return { whole, lower };
}

/** Where a path stands, or would stand, in plain string order. */
function placeFor(paths: readonly string[], path: string): number {
  let [low, high] = [0, paths.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((paths[middle] ?? "") < path) low = middle + 1;
    else high = middle;
  }
  return low;
}

async function rankedOf(
  list: PathList,
  /** The places to look at; all when absent. */
  among: Uint32Array | undefined,
  wanted: string,
  slice: () => Promise<boolean>,
): Promise<{ readonly best: readonly string[]; readonly matches: Uint32Array } | undefined> {
  const count = among?.length ?? list.whole.length;
  const matches = new Uint32Array(count);
  let matched = 0;
  const best: { readonly path: string; readonly score: number }[] = [];
  for (let step = 0; step < count; step++) {
    if (step % STRIDE === 0 && !(await slice())) return undefined;
    const index = among?.[step] ?? step;
    const path = list.whole[index] ?? "";
    const score = wanted === "" ? path.length : pathScore(list.lower[index] ?? "", wanted);
    if (score === undefined) continue;
    matches[matched++] = index;
    keepBest(best, path, score);
  }
  return { best: best.map(({ path }) => path), matches: matches.subarray(0, matched) };
}

/** Paths come in their order: of equal scores the first stays before. */
function keepBest(best: { readonly path: string; readonly score: number }[], path: string, score: number): void {
  const isFull = best.length >= limits.rankedPaths;
  if (isFull && score >= (best.at(-1)?.score ?? 0)) return;
  if (isFull) best.pop();
  let place = best.length;
  while (place > 0 && (best[place - 1]?.score ?? 0) > score) place--;
  best.splice(place, 0, { path, score });
}

/** Lower is better; `undefined` when the letters are not there in order. */
function pathScore(path: string, wanted: string): number | undefined {
  const name = path.lastIndexOf("/") + 1;
  const inName = path.indexOf(wanted, name);
  if (inName >= 0) return inName - name + path.length / 1_000;
  const inPath = path.indexOf(wanted);
  if (inPath >= 0) return 100 + path.length / 1_000;
  let at = -1;
  let gaps = 0;
  for (const letter of wanted) {
    const next = path.indexOf(letter, at + 1);
    if (next < 0) return undefined;
    gaps += next - at - 1;
    at = next;
  }
  return 200 + gaps;
}
