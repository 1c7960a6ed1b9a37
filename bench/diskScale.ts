import { idbFs, type FileToWrite } from "../src/fs";
import { newName } from "./diskWork";
import { verbTimesOf } from "./diskGrowth";
import { figureFromRuns, timedMs, type Figure } from "./measure";
import { samplePath, streamedFiles } from "./sampleFiles";
import type { Sizes } from "./sizes";

const MIB = 2 ** 20;
/** Milliseconds between two looks at the memory while the tree is written. */
const LOOK_MS = 100;

/** A tree of 1 GiB in large files and 100,000 small ones: what it takes to write it, and what is left in memory. */
export async function scaleFigures({ scale }: Sizes): Promise<Figure[]> {
  const { largeFiles, smallFiles } = scale;
  const name = newName("scale");
  const disk = idbFs(name);
  await disk.stat("/");
  const before = await memoryBytes();
  let peak = before;
  const looking = setInterval(() => (peak = Math.max(peak, heapBytes())), LOOK_MS);
  const write = await timedMs(() => disk.writeMany(filesOf(largeFiles, smallFiles)));
  clearInterval(looking);
  const after = await memoryBytes();
  await disk.close();
  const paths = [
    ...Array.from({ length: smallFiles }, (_, index) => samplePath(index)),
    ...Array.from({ length: largeFiles }, (_, index) => largePath(index)),
  ];
  const times = await verbTimesOf(name, paths);
  const megabytes = (bytes: number) => [bytes / MIB];
  return [
    ...Object.entries({ write, ...times }).map(([verb, ms]) => figureFromRuns(`scale.${verb}`, "ms", [ms])),
    figureFromRuns("scale.memory before", "MiB", megabytes(before)),
    figureFromRuns("scale.memory at most while writing (heap)", "MiB", megabytes(peak)),
    figureFromRuns("scale.memory after writing", "MiB", megabytes(after)),
    figureFromRuns("scale.memory after reading", "MiB", megabytes(await memoryBytes())),
  ];
}

function largePath(index: number): string {
  return `/assets/part${index % 10}/large${index}.bin`;
}

function* filesOf(largeFiles: number, smallFiles: number): Generator<FileToWrite> {
  yield* streamedFiles(smallFiles);
  for (let index = 0; index < largeFiles; index++) {
    const bytes = new Uint8Array(MIB);
    // No two are equal, and none is text.
    new Uint32Array(bytes.buffer).fill(index + 1);
    yield [largePath(index), bytes];
  }
}

/** All of the page's memory, buffers included, where the browser tells. */
async function memoryBytes(): Promise<number> {
  const { measureUserAgentSpecificMemory: measure } = performance as unknown as {
    readonly measureUserAgentSpecificMemory?: () => Promise<{ readonly bytes: number }>;
  };
  return measure === undefined ? heapBytes() : (await measure.call(performance)).bytes;
}

function heapBytes(): number {
  return (
    (performance as unknown as { readonly memory?: { readonly usedJSHeapSize: number } }).memory?.usedJSHeapSize ?? 0
  );
}
