import { contentsFromBytes, diffTrees, type Change, type SnapshotTree } from "../fs";
import { fileDifference, type FileDifference } from "./sessionDifference";

/** A file that an arm left different from the start. */
export interface FinalFile {
  readonly path: string;
  /** What became of it in each arm, against the start; absent: nothing. */
  readonly a: Change["kind"] | undefined;
  readonly b: Change["kind"] | undefined;
  /** Both arms ended with the same contents, or both without the file. */
  readonly isSame: boolean;
}

/** The trees of a pair. */
export interface PairTrees {
  readonly start: SnapshotTree;
  readonly a: SnapshotTree;
  readonly b: SnapshotTree;
}

/** Which contents of a file are held against which. */
export type FileSides = "start-a" | "start-b" | "a-b";

/** Every file either arm changed: those that differ between the arms first. */
export function finalFiles({ start, a, b }: PairTrees): readonly FinalFile[] {
  const inA = new Map(diffTrees(start, a).map((change) => [change.path, change.kind]));
  const inB = new Map(diffTrees(start, b).map((change) => [change.path, change.kind]));
  return [...new Set([...inA.keys(), ...inB.keys()])]
    .toSorted()
    .map((path) => ({
      path,
      a: inA.get(path),
      b: inB.get(path),
      isSame: a.file(path)?.hash === b.file(path)?.hash,
    }))
    .toSorted((one, other) => Number(one.isSame) - Number(other.isSame));
}

/** One file of the pair, line by line. @throws UnavailableError when the contents are not kept */
export async function finalDifference(trees: PairTrees, path: string, sides: FileSides): Promise<FileDifference> {
  const [before, after] = { "start-a": ["start", "a"], "start-b": ["start", "b"], "a-b": ["a", "b"] }[sides] as [
    keyof PairTrees,
    keyof PairTrees,
  ];
  const [old, current] = await Promise.all([contentsAt(trees[before], path), contentsAt(trees[after], path)]);
  return fileDifference(path, old, current);
}

async function contentsAt(tree: SnapshotTree, path: string): Promise<string | Uint8Array | undefined> {
  const file = tree.file(path);
  return file === undefined ? undefined : contentsFromBytes(await file.bytes());
}
