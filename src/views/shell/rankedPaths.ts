import type { SnapshotTree } from "../../fs";

/** Paths shown: a person types on rather than scrolls. */
const SHOWN_PATHS = 50;
/** Files looked at: past it, paths later in the order are not found, which keeps a key stroke short. */
const SEARCHED_FILES = 50_000;

/** Files whose path holds the letters of `query` in order, best first: whole words and file names before scattered letters. */
export function rankedPaths(tree: SnapshotTree, query: string): string[] {
  const wanted = query.toLowerCase().replaceAll(" ", "");
  const found: { path: string; score: number }[] = [];
  let searched = 0;
  for (const [path] of tree.files()) {
    if (++searched > SEARCHED_FILES) break;
    const score = wanted === "" ? path.length : pathScore(path.toLowerCase(), wanted);
    if (score !== undefined) found.push({ path, score });
  }
  return found
    .toSorted((a, b) => a.score - b.score || (a.path < b.path ? -1 : 1))
    .slice(0, SHOWN_PATHS)
    .map(({ path }) => path);
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
