import { createStore, setMany } from "idb-keyval";
import { idbFs, tempFs, type FileSystem, type IdbFileSystem } from "../src/fs";
import { alternatedMs, alternatedParts, count, timedMs, type Figure } from "./measure";
import { lightningDisk, zenDisk, type PeerDisk } from "./peers.mjs";
import { deleteDatabases, openRawStore } from "./rawStore";
import { sampleFiles } from "./sampleFiles";
import type { Sizes } from "./sizes";

const encoder = new TextEncoder();
let databases = 0;
const newName = (kind: string) => `bench-${kind}-${++databases}`;

/** Disks in IndexedDB: writing, listing and reading many files, one file at a time, opening. */
export async function diskFigures(sizes: Sizes): Promise<Figure[]> {
  const figures: Figure[] = [];
  const parts = { writing: writeFigures, reading: readFigures, "one file": singleWriteFigures, opening: openFigures };
  for (const [name, part] of Object.entries({ ...parts, peers: peerFigures })) {
    console.log(`measuring disks: ${name}`);
    figures.push(...(await part(sizes)));
    await deleteDatabases();
  }
  return figures;
}

async function writeFigures({ files, runs }: Sizes): Promise<Figure[]> {
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

async function readFigures({ files, runs }: Sizes): Promise<Figure[]> {
  const samples = sampleFiles(files);
  const memory = tempFs(Object.fromEntries(samples));
  const name = newName("read");
  const disk = idbFs(name);
  await disk.writeMany(samples);
  const paths = samples.map(([path]) => path);
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

async function withCold(name: string, work: (disk: IdbFileSystem) => Promise<unknown>): Promise<number> {
  const disk = idbFs(name);
  const ms = await timedMs(() => work(disk));
  await disk.close();
  return ms;
}

async function statAll(tree: FileSystem, paths: readonly string[]): Promise<void> {
  for (const path of paths) await tree.stat(path);
}

/** A few at a time, as a page reads. */
async function readAll(tree: FileSystem, paths: readonly string[]): Promise<void> {
  for (let begin = 0; begin < paths.length; begin += 100) {
    await Promise.all(paths.slice(begin, begin + 100).map((path) => tree.read(path)));
  }
}

/** Peers that write a file at a time, at a size they come to an end with. */
async function peerFigures({ peerFiles, runs }: Sizes): Promise<Figure[]> {
  const samples = sampleFiles(peerFiles);
  const peerRuns = Math.min(runs, 3);
  return alternatedParts(
    {
      [`idbFs.writeAll ${peerFiles} files`]: async () => {
        const disk = idbFs(newName("idbFs"));
        await disk.stat("/");
        const ms = await timedMs(() => disk.writeMany(samples));
        await disk.close();
        return ms;
      },
      [`lightningFs ${peerFiles} files`]: () => writtenMs(lightningDisk(newName("lightning")), samples),
      [`zenFs ${peerFiles} files`]: async () => writtenMs(await zenDisk(newName("zen")), samples),
    },
    peerRuns,
  );
}

async function writtenMs(disk: PeerDisk, samples: readonly (readonly [string, string])[]): Promise<number> {
  const directories = new Set(samples.map(([path]) => path.slice(0, path.lastIndexOf("/"))));
  for (const path of ["/src", ...directories]) await disk.makeDirectory(path);
  return timedMs(async () => {
    for (const [path, text] of samples) await disk.write(path, text);
    await disk.flush();
  });
}

async function singleWriteFigures({ files, runs }: Sizes): Promise<Figure[]> {
  const disk = idbFs(newName("single"));
  await disk.writeMany(sampleFiles(files));
  const raw = await openRawStore(newName("raw"));
  const figures = await alternatedMs(
    {
      "idbFs.writeOneAwaited": (run) => disk.write("/src/one.ts", `export const run = ${run};\n`),
      emptyTransaction: () => raw.write(() => undefined),
      "onePut (for comparison)": (run) => raw.write((store) => store.put(`export const run = ${run};\n`, "one")),
    },
    20 * runs,
  );
  await disk.close();
  raw.close();
  return figures;
}

async function openFigures({ openFiles, reopenFiles, runs }: Sizes): Promise<Figure[]> {
  const [large, small] = reopenFiles;
  const names = new Map<number, string>();
  for (const fileCount of new Set([openFiles, large, small])) {
    const name = newName(`open${fileCount}`);
    const disk = idbFs(name);
    await disk.writeMany(sampleFiles(fileCount, 64));
    await disk.close();
    names.set(fileCount, name);
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
