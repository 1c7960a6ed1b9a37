import { idbFs, tempFs } from "../src/fs";
import { newName, readAll, statAll, withCold, writtenDisk } from "./diskWork";
import { alternatedMs, alternatedParts, count, timedMs, type Figure } from "./measure";
import { openRawStore } from "./rawStore";
import { sampleFiles } from "./sampleFiles";
import type { Sizes } from "./sizes";

/** All files of a tree: listed, looked at, read from a disk that was just opened. */
export async function readFigures({ files, runs }: Sizes): Promise<Figure[]> {
  const samples = sampleFiles(files);
  const memory = tempFs(Object.fromEntries(samples));
  const name = await writtenDisk("read", samples);
  const paths = samples.map(([path]) => path);
  const disk = idbFs(name);
  const lists = await alternatedMs(
    { "idbFs.listAll": () => count(disk.list()), "tempFs.listAll": () => count(memory.list()) },
    2 * runs,
  );
  const stats = await alternatedMs(
    { "idbFs.statAll": () => statAll(disk, paths), "tempFs.statAll": () => statAll(memory, paths) },
    2 * runs,
  );
  await disk.close();
  const rawName = newName("raw");
  const raw = await openRawStore(rawName);
  await raw.write((store) => store.put(new Uint8Array(files * 2_048).fill(97), "whole"));
  raw.close();
  const reads = await alternatedParts(
    {
      "idbFs.readAllCold": () => withCold(name, (cold) => readAll(cold, paths)),
      singleGet: async () => {
        const reopened = await openRawStore(rawName);
        const ms = await timedMs(() => reopened.read((store) => store.get("whole")));
        reopened.close();
        return ms;
      },
    },
    runs,
  );
  return [...lists, ...stats, ...reads];
}
