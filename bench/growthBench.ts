import { createWorkerEngine, tempFs, unionFs, type EditableFileSystem, type FileSystem } from "../src/fs";
import { count, figureFromRuns, timedMs, type Figure } from "./measure";
import { sampleFiles } from "./sampleFiles";
import type { Sizes } from "./sizes";

/** Bytes of a file: 100,000 of them must fit into the memory of the page and once more into that of the workers. */
const FILE_BYTES = 512;
const MOUNTS = 8;
/** One word that all files have, and one that few have. */
const QUESTION = "tree 77";

/** What the verbs that look at a whole tree take on trees of different sizes; each figure is named `growth <what> <files>`. */
export async function growthFigures({ growth, runs }: Sizes): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const fileCount of growth) {
    console.log(`measuring growth: ${fileCount} files`);
    const engine = createWorkerEngine({
      createWorker: () => new Worker(new URL("../src/fs/grep/engineWorker.ts", import.meta.url), { type: "module" }),
    });
    const samples = sampleFiles(fileCount, FILE_BYTES);
    const disk = tempFs(Object.fromEntries(samples), { engine });
    const add = (what: string, taken: readonly number[]) =>
      figures.push(figureFromRuns(`growth ${what} ${fileCount}`, "ms", taken));
    for (const [what, work] of Object.entries(walks(disk, samples))) {
      await work();
      add(what, await timesOf(runs, work));
    }
    add("search build", [await timedMs(() => ask(disk))]);
    add("search", await timesOf(runs, () => ask(disk)));
    add("write and search", await timesOf(runs, (run) => changeAndAsk(disk, run)));
    engine.dispose();
  }
  return figures;
}

function walks(
  disk: FileSystem,
  samples: readonly (readonly [string, string])[],
): Record<string, () => Promise<unknown>> {
  const union = unionFs(
    Object.fromEntries(
      Array.from({ length: MOUNTS }, (_, mount) => [
        `/mount${mount}`,
        tempFs(Object.fromEntries(samples.filter((_sample, index) => index % MOUNTS === mount))),
      ]),
    ),
  );
  return {
    list: () => count(disk.list()),
    "list of 8 mounts": () => count(union.list()),
    "glob **/*9.ts": () => count(disk.glob("**/*9.ts")),
    "grep of one file": () => count(disk.grep({ pattern: "^// 123$" })),
    "grep of all files": () => count(disk.grep({ pattern: "^// \\d+" })),
  };
}

async function timesOf(runs: number, work: (run: number) => Promise<unknown>): Promise<number[]> {
  const taken: number[] = [];
  for (let run = 0; run < runs; run++) taken.push(await timedMs(() => work(run)));
  return taken;
}

function ask(disk: FileSystem): Promise<number> {
  return count(disk.search({ query: QUESTION }));
}

async function changeAndAsk(disk: EditableFileSystem, run: number): Promise<void> {
  await disk.write(`/src/part1/file1${run}.ts`, `export function changed${run}() {}\n`);
  if ((await ask(disk)) === 0) throw new Error("nothing was found");
}
