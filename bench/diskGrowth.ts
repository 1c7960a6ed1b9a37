import { diffTrees, forkFs, idbFs, memoryFile, treeFs, type SnapshotTree } from "../src/fs";
import { newName, spread, statAll, withCold } from "./diskWork";
import { count, figureFromRuns, timedMs, type Figure } from "./measure";
import { deleteDatabases } from "./rawStore";
import { samplePath, streamedFiles } from "./sampleFiles";
import type { Sizes } from "./sizes";

/** Times a cheap thing is done for one figure. */
const REPEATS = 200;
/** Files looked at, changed, or read one by one, however many there are. */
const SOME = 100;

/** The same verbs on trees of a thousand, ten thousand and a hundred thousand files: how each grows. */
export async function diskGrowthFigures({ growth, runs }: Sizes): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const fileCount of growth) {
    const taken: Record<string, number[]> = {};
    for (let run = 0; run < Math.min(runs, 3); run++) {
      for (const [verb, ms] of Object.entries(await verbTimes(fileCount))) (taken[verb] ??= []).push(ms);
      await deleteDatabases();
    }
    for (const [verb, times] of Object.entries(taken)) {
      figures.push(figureFromRuns(`growth disk: ${verb} ${fileCount}`, "ms", times));
    }
  }
  return figures;
}

async function verbTimes(fileCount: number): Promise<Readonly<Record<string, number>>> {
  const name = newName("growth");
  const disk = idbFs(name);
  await disk.stat("/");
  const write = await timedMs(() => disk.writeMany(streamedFiles(fileCount)));
  await disk.close();
  return {
    write,
    ...(await verbTimesOf(
      name,
      Array.from({ length: fileCount }, (_, index) => samplePath(index)),
    )),
  };
}

/** Of a disk that was written and closed: milliseconds of each verb. */
export async function verbTimesOf(name: string, paths: readonly string[]): Promise<Readonly<Record<string, number>>> {
  const open = await withCold(name, (cold) => cold.snapshot());
  const disk = idbFs(name);
  const some = spread(paths, SOME);
  const readOne = await timedMs(async () => {
    for (const path of some) await disk.read(path);
  });
  const list = await timedMs(() => count(disk.list()));
  const stat = await timedMs(() => statAll(disk, some));
  const tree = await disk.snapshot();
  const fork = await timedMs(() => forked(tree, some));
  const changed = tree.withFiles(some.map((path) => [path, memoryFile(`changed ${path}`, 1)]));
  const diff = await timedMs(() => diffTrees(tree, changed));
  await disk.close();
  return {
    open,
    list,
    "stat one": stat / SOME,
    "read one, cold": readOne / SOME,
    "fork and write": fork / REPEATS,
    "diff of 100": diff,
  };
}

async function forked(tree: SnapshotTree, paths: readonly string[]): Promise<void> {
  const base = treeFs(tree);
  for (let turn = 0; turn < REPEATS; turn++) await forkFs(base).write(paths[turn % paths.length] ?? "/a", "changed");
}
