import { createStore, setMany } from "idb-keyval";
import { idbFs } from "../src/fs";
import { newName } from "./diskWork";
import { alternatedMs, alternatedParts, timedMs, type Figure } from "./measure";
import { openRawStore } from "./rawStore";
import { sampleFiles } from "./sampleFiles";
import type { Sizes } from "./sizes";

const encoder = new TextEncoder();

/** All files of a tree at once. */
export async function writeFigures({ files, runs }: Sizes): Promise<Figure[]> {
  const samples = sampleFiles(files);
  const entries = samples.map(([path, text]): [string, Uint8Array] => [path, encoder.encode(text)]);
  const whole = new Uint8Array(entries.reduce((sum, [, bytes]) => sum + bytes.length, 0)).fill(97);
  return alternatedParts(
    {
      "idbFs.writeAll": async () => {
        const disk = idbFs(newName("idbFs"));
        await disk.stat("/");
        const ms = await timedMs(() => disk.writeMany(samples));
        await disk.close();
        return ms;
      },
      "idbKeyval.setMany": async () => {
        const store = createStore(newName("keyval"), "files");
        await setMany([["first", 1]], store);
        return timedMs(() => setMany(entries, store));
      },
      singlePut: async () => {
        const raw = await openRawStore(newName("raw"));
        const ms = await timedMs(() => raw.write((store) => store.put(whole, "whole")));
        raw.close();
        return ms;
      },
    },
    runs,
  );
}

/** One file, awaited, and what a transaction costs by itself: empty, with one put, with what a commit cannot do without. */
export async function singleWriteFigures({ files, runs }: Sizes): Promise<Figure[]> {
  const disk = idbFs(newName("single"));
  await disk.writeMany(sampleFiles(files));
  const raw = await openRawStore(newName("raw"));
  await raw.write((store) => store.put({ schema: 2, checkpoint: 0, checkpointSequence: 0 }, "head"));
  const text = (run: number) => `export const run = ${run};\n`;
  let sequence = 0;
  const figures = await alternatedMs(
    {
      "idbFs.writeOneAwaited": (run) => disk.write("/src/one.ts", text(run)),
      emptyTransaction: () => raw.write(() => undefined),
      "onePut (for comparison)": (run) => raw.write((store) => store.put(text(run), "one")),
      "compareAndSwap (for comparison)": (run) =>
        raw.write((store) => {
          store.get("head");
          store.add({ path: "/src/one.ts", hash: "0".repeat(64), text: text(run) }, ["log", ++sequence]);
        }),
    },
    20 * runs,
  );
  await disk.close();
  raw.close();
  return figures;
}
