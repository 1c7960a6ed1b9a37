import { diskFigures } from "./diskBench";
import { scaleFigures } from "./diskScale";
import { GrepBench, type GrepCase } from "./grepBench";
import { loopFigures } from "./loopBench";
import { deleteDatabases } from "./rawStore";
import { labelledFigures, searchFigures, type LabelledSet, type SearchSet } from "./searchBench";
import { shellFigures } from "./shellBench";
import { fullSizes, quickSizes, type Sizes } from "./sizes";
import { treeFigures } from "./treeBench";

/** What `run.mjs` calls in the page. */
const bench = {
  disk: (isQuick: boolean) => diskFigures(sizes(isQuick)),
  scale: (isQuick: boolean) => scaleFigures(sizes(isQuick)),
  loop: () => loopFigures(),
  shell: (isQuick: boolean) => shellFigures(isQuick ? 500 : 5_000, isQuick ? 3 : 9),
  trees: (isQuick: boolean) => treeFigures(sizes(isQuick)),
  loadCorpus: async () => {
    const list = (await (await fetch("/corpus.json")).json()) as [path: string, sizeBytes: number][];
    const bytes = new Uint8Array(await (await fetch("/corpus.bin")).arrayBuffer());
    const decoder = new TextDecoder();
    const files: Record<string, string> = {};
    let at = 0;
    for (const [path, sizeBytes] of list) files[path] = decoder.decode(bytes.subarray(at, (at += sizeBytes)));
    grep = new GrepBench(files);
  },
  grep: (searched: GrepCase) => loaded().engine(searched),
  lineByLine: (searched: GrepCase) => loaded().lineByLine(searched),
  isSameGrep: (searched: GrepCase) => loaded().isSame(searched),
  search: async () => searchFigures((await (await fetch("/search.json")).json()) as SearchSet),
  labelled: async () => labelledFigures((await (await fetch("/labelled.json")).json()) as LabelledSet),
  clean: deleteDatabases,
};

let grep: GrepBench | undefined;

function loaded(): GrepBench {
  if (grep === undefined) throw new Error("the corpus is not loaded");
  return grep;
}

function sizes(isQuick: boolean): Sizes {
  return isQuick ? quickSizes : fullSizes;
}

type Bench = typeof bench;

declare global {
  // eslint-disable-next-line no-var -- the only way to declare a global
  var bench: Bench;
}

globalThis.bench = bench;
