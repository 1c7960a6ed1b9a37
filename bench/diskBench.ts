import { diskGrowthFigures } from "./diskGrowth";
import { openFigures } from "./diskOpening";
import { peerFigures } from "./diskPeers";
import { readFigures } from "./diskReads";
import { singleWriteFigures, writeFigures } from "./diskWrites";
import type { Figure } from "./measure";
import { deleteDatabases } from "./rawStore";
import type { Sizes } from "./sizes";

/** Disks in IndexedDB: writing, listing and reading many files, one file at a time, opening; peers; growth. */
export async function diskFigures(sizes: Sizes): Promise<Figure[]> {
  const figures: Figure[] = [];
  const parts = {
    writing: writeFigures,
    reading: readFigures,
    "one file": singleWriteFigures,
    opening: openFigures,
    peers: peerFigures,
    growth: diskGrowthFigures,
  };
  for (const [name, part] of Object.entries(parts)) {
    console.log(`measuring disks: ${name}`);
    figures.push(...(await part(sizes)));
    await deleteDatabases();
  }
  return figures;
}
