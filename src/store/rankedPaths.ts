import { limits } from "../base";
import type { SnapshotTree } from "../fs";

export interface RankedPaths {
  readonly paths: readonly string[];
  /** Files that match and are not among `paths`. */
  readonly furtherMatches: number;
  /** Files that were not looked at, so that a key stroke stays short; they come last in the order of paths. */
  readonly unsearchedFiles: number;
}

/** Files whose path holds the letters of `query` in order, best first: whole words and file names before scattered letters. */
export function rankedPaths(tree: SnapshotTree, query: string): RankedPaths {
  const wanted = query.toLowerCase().replaceAll(" ", "");
  const found: { path: string; score: number }[] = [];
  let searched = 0;
  for (const [path] of tree.files()) {
    if (searched >= limits.rankedFiles) break;
    searched++;
    const score = wanted === "" ? path.length : pathScore(path.toLowerCase(), wanted);
    if (score !== undefined) found.push({ path, score });
  }
  const paths = found
    .toSorted((a, b) => a.score - b.score || (a.path < b.path ? -1 : 1))
    .slice(0, limits.rankedPaths)
    .map(({ path }) => path);
  return { paths, furtherMatches: found.length - paths.length, unsearchedFiles: tree.fileCount - searched };
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
