import { idbFs } from "../src/fs";
import { newName, readAll, spread, statAll } from "./diskWork";
import { count, figureFromRuns, timedMs, type Figure } from "./measure";
import {
  clearOpfs,
  keyvalDisk,
  lightningDisk,
  memfsDisk,
  opfsDisk,
  opfsPackRead,
  opfsPackWrite,
  zenDisk,
  type PeerDisk,
} from "./peers.mjs";
import { sampleFiles } from "./sampleFiles";
import type { Sizes } from "./sizes";

/** Files read one by one, in no order. */
const READ_ONE_BY_ONE = 50;

type Samples = readonly (readonly [path: string, text: string])[];

/** What one disk took for each verb. */
type Times = Readonly<Record<string, number>>;

/** The same files through every peer, at a size the slowest comes to an end with. */
export async function peerFigures({ peerFiles, runs }: Sizes): Promise<Figure[]> {
  const samples = sampleFiles(peerFiles);
  const works: Record<string, () => Promise<Times>> = {
    idbFs: () => ownTimes(samples),
    idbKeyval: () => peerTimes(keyvalDisk(newName("keyval")), samples),
    lightningFs: () => peerTimes(lightningDisk(newName("lightning")), samples),
    zenFs: async () => peerTimes(await zenDisk(newName("zen")), samples),
    memfs: () => peerTimes(memfsDisk(), samples),
    opfs: async () => peerTimes(await opfsDisk(newName("opfs")), samples),
    "opfs, one file": () => packTimes(samples),
  };
  const taken = new Map<string, number[]>();
  for (let run = 0; run < Math.min(runs, 3); run++) {
    for (const [peer, work] of Object.entries(works)) {
      for (const [verb, ms] of Object.entries(await work())) {
        const name = `${peer}.${verb} ${peerFiles} files`;
        taken.set(name, [...(taken.get(name) ?? []), ms]);
      }
    }
    await clearOpfs();
  }
  return [...taken].map(([name, times]) => figureFromRuns(name, "ms", times));
}

async function ownTimes(samples: Samples): Promise<Times> {
  const name = newName("idbFs");
  const disk = idbFs(name);
  await disk.stat("/");
  const writeAll = await timedMs(() => disk.writeMany(samples));
  await disk.close();
  const cold = idbFs(name);
  await cold.stat("/");
  const times = await readTimes({ ...cold, list: () => count(cold.list()) }, samples);
  await cold.close();
  return { writeAll, ...times };
}

async function peerTimes(disk: PeerDisk, samples: Samples): Promise<Times> {
  const directories = new Set(samples.map(([path]) => path.slice(0, path.lastIndexOf("/"))));
  for (const path of ["/src", ...directories]) await disk.makeDirectory(path);
  const writeAll = await timedMs(async () => {
    for (const [path, text] of samples) await disk.write(path, text);
    await disk.flush();
  });
  return { writeAll, ...(await readTimes(disk, samples)) };
}

async function readTimes(disk: Pick<PeerDisk, "read" | "list" | "stat">, samples: Samples): Promise<Times> {
  const paths = samples.map(([path]) => path);
  const one = spread(paths, READ_ONE_BY_ONE);
  return {
    readOne:
      (await timedMs(async () => {
        for (const path of one) await disk.read(path);
      })) / one.length,
    listAll: await timedMs(() => disk.list()),
    statAll: await timedMs(() => statAll(disk, paths)),
    readAll: await timedMs(() => readAll(disk, paths)),
  };
}

/** Not a disk, but the least its bytes can cost: one file, buffers of a mebibyte. */
async function packTimes(samples: Samples): Promise<Times> {
  const whole = new TextEncoder().encode(samples.map(([, text]) => text).join(""));
  const name = newName("pack");
  const buffers: Uint8Array[] = [];
  for (let at = 0; at < whole.length; at += 2 ** 20) buffers.push(whole.slice(at, at + 2 ** 20));
  return {
    writeAll: await timedMs(() => opfsPackWrite(name, buffers)),
    readAll: await timedMs(() => opfsPackRead(name)),
  };
}
