import { newName, withCold, writtenDisk } from "./diskWork";
import { alternatedParts, timedMs, type Figure } from "./measure";
import { openRawStore } from "./rawStore";
import { sampleFiles } from "./sampleFiles";
import type { Sizes } from "./sizes";

/** Opening a tree that was closed, against reading a record a file. */
export async function openFigures({ openFiles, reopenFiles, runs }: Sizes): Promise<Figure[]> {
  const [large, small] = reopenFiles;
  const names = new Map<number, string>();
  for (const fileCount of new Set([openFiles, large, small])) {
    names.set(fileCount, await writtenDisk(`open${fileCount}`, sampleFiles(fileCount, 64)));
  }
  const rawName = newName("metadata");
  const raw = await openRawStore(rawName);
  const samples = sampleFiles(openFiles, 64);
  await raw.write((store) => samples.forEach(([path], index) => store.put(metadata(index), path)));
  raw.close();
  const opened = (fileCount: number) => () => withCold(names.get(fileCount) ?? "", (disk) => disk.snapshot());
  return alternatedParts(
    {
      [`idbFs.openCold ${openFiles} files`]: opened(openFiles),
      [`metaGetAll ${openFiles} records`]: async () => {
        let store: Awaited<ReturnType<typeof openRawStore>> | undefined;
        const ms = await timedMs(async () => {
          store = await openRawStore(rawName);
          return store.read((records) => records.getAll());
        });
        store?.close();
        return ms;
      },
      [`idbFs.open ${large} files`]: opened(large),
      [`idbFs.open ${small} files`]: opened(small),
    },
    runs,
  );
}

function metadata(index: number) {
  return {
    hash: index.toString(16).padStart(64, "0"),
    sizeBytes: 64,
    modifiedAt: 1_700_000_000_000 + index,
    stored: [`pack${index >> 6}`, (index & 63) * 64, 64],
  };
}
