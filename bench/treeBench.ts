import { Minimatch } from "minimatch";
import {
  diffTrees,
  forkFs,
  globMatcher,
  memoryFile,
  SnapshotTree,
  tempFs,
  treeFs,
  unionFs,
  type FileSystem,
} from "../src/fs";
import { growthFigures } from "./growthBench";
import { alternatedMs, count, type Figure } from "./measure";
import type { Sizes } from "./sizes";

const LARGE = 100_000;
const MIDDLE = 10_000;
const SMALL = 1_000;
/** Times a cheap thing is done for one figure. */
const REPEATS = 200;
/** Runs of what takes milliseconds: a median over few would show other programs. */
const CHEAP_RUNS = 15;

/** Trees in memory: what must not depend on how much a tree holds, unions, globs. */
export async function treeFigures(sizes: Sizes): Promise<Figure[]> {
  const trees = new Map([LARGE, SMALL, MIDDLE].map((fileCount) => [fileCount, treeOf(fileCount)]));
  return [
    ...(await sizeFigures("fork", trees, forkAndWrite)),
    ...(await sizeFigures("snapshot", trees, writeAndSnapshot)),
    ...(await differenceFigures(trees)),
    ...(await unionFigures(sizes.runs)),
    ...(await globFigures(treeOf(LARGE))),
    ...(await growthFigures(sizes)),
  ];
}

function paths(fileCount: number): string[] {
  return Array.from({ length: fileCount }, (_, index) => `/src/part${Math.floor(index / 100)}/file${index}.ts`);
}

function treeOf(fileCount: number): SnapshotTree {
  return SnapshotTree.empty.withFiles(paths(fileCount).map((path, index) => [path, memoryFile(`${index}`, 0)]));
}

/** Trees by how many files they have: the largest and the smallest first, which the ratios are made of. */
type TreesBySize = ReadonlyMap<number, SnapshotTree>;

/** The same work on trees of different sizes, many times a run. */
function sizeFigures(
  name: string,
  trees: TreesBySize,
  work: (tree: SnapshotTree) => (turn: number) => Promise<unknown>,
): Promise<Figure[]> {
  const repeated = (tree: SnapshotTree) => {
    const once = work(tree);
    return async () => {
      for (let turn = 0; turn < REPEATS; turn++) await once(turn);
    };
  };
  const works = [...trees].map(([fileCount, tree]) => [`${name} ×${REPEATS} of ${fileCount}`, repeated(tree)] as const);
  return alternatedMs(Object.fromEntries(works), CHEAP_RUNS);
}

function forkAndWrite(tree: SnapshotTree) {
  const base = treeFs(tree);
  return async (turn: number) => {
    const fork = forkFs(base);
    await fork.write(`/src/part${turn % 10}/file${turn % 1_000}.ts`, "changed");
    return fork.read("/src/part0/file1.ts");
  };
}

function writeAndSnapshot(tree: SnapshotTree) {
  const disk = tempFs();
  const ready = disk.writeMany(filesOf(tree));
  return async (turn: number) => {
    await ready;
    await disk.write(`/src/part${turn % 10}/file${turn % 1_000}.ts`, `${turn}`);
    return disk.snapshot();
  };
}

function* filesOf(tree: SnapshotTree): Generator<[string, string]> {
  for (const [path] of tree.files()) yield [path, "text"];
}

/** Ten files in each of ten directories, so that only the size of the tree differs. */
function differenceFigures(trees: TreesBySize): Promise<Figure[]> {
  const changed = (tree: SnapshotTree, directoryCount: number) =>
    tree.withFiles(
      Array.from({ length: 100 }, (_, index) => {
        const directory = Math.floor((index % 10) * (directoryCount / 10));
        const file = directory * 100 + Math.floor(index / 10) * 10;
        return [`/src/part${directory}/file${file}.ts`, memoryFile(`new ${index}`, 1)] as const;
      }),
    );
  const compared = (tree: SnapshotTree, directoryCount: number) => {
    const after = changed(tree, directoryCount);
    return () => {
      for (let turn = 0; turn < 20; turn++) {
        if (diffTrees(tree, after).length !== 100) throw new Error("100 files were changed");
      }
    };
  };
  const works = [...trees].map(
    ([fileCount, tree]) => [`diffTrees ×20 of ${fileCount}`, compared(tree, fileCount / 100)] as const,
  );
  return alternatedMs(Object.fromEntries(works), CHEAP_RUNS);
}

function unionFigures(runs: number): Promise<Figure[]> {
  const mounts: Record<string, FileSystem> = {};
  const all: Record<string, string> = {};
  for (let mount = 0; mount < 8; mount++) {
    const own = Object.fromEntries(paths(LARGE / 8).map((path) => [path, "text"]));
    mounts[`/mount${mount}`] = tempFs(own);
    for (const path of Object.keys(own)) all[`/mount${mount}${path}`] = "text";
  }
  const union = unionFs(mounts);
  const memory = tempFs(all);
  return alternatedMs({ "union.list": () => count(union.list()), "tempFs.list": () => count(memory.list()) }, 2 * runs);
}

const GLOBS = [
  "**/*.ts",
  "src/part1*/*.ts",
  "src/**/file9?.ts",
  "**/part{1,22,333}/**",
  "src/part[0-9]/*",
  "**/*9*9*.{ts,tsx,js}",
  `${"*a".repeat(20)}*b`,
  `**/${"*e".repeat(12)}*z`,
];

async function globFigures(tree: SnapshotTree): Promise<Figure[]> {
  const relative = [...tree.files()].map(([path]) => path.slice(1));
  const figures: Figure[] = [];
  for (const pattern of GLOBS) {
    const options = { dot: true, nonegate: true, nocomment: true, braceExpandMax: 1_000 };
    figures.push(
      ...(await alternatedMs(
        {
          [`glob ${pattern}`]: () => relative.filter(globMatcher(pattern)),
          [`minimatchCompiled ${pattern}`]: () => {
            const compiled = new Minimatch(pattern, options);
            return relative.filter((path) => compiled.match(path));
          },
        },
        CHEAP_RUNS,
      )),
    );
  }
  return figures;
}
