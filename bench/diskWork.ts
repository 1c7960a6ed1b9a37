import { idbFs, type IdbFileSystem } from "../src/fs";
import { timedMs } from "./measure";

let databases = 0;

/** A name no database has yet. */
export function newName(kind: string): string {
  return `bench-${kind}-${++databases}`;
}

/** The milliseconds of some work on a disk that is opened for it. */
export async function withCold(name: string, work: (disk: IdbFileSystem) => Promise<unknown>): Promise<number> {
  const disk = idbFs(name);
  const ms = await timedMs(() => work(disk));
  await disk.close();
  return ms;
}

/** A disk of these files, closed; its name. */
export async function writtenDisk(kind: string, files: Parameters<IdbFileSystem["writeMany"]>[0]): Promise<string> {
  const name = newName(kind);
  const disk = idbFs(name);
  await disk.writeMany(files);
  await disk.close();
  return name;
}

export async function statAll(tree: { stat(path: string): Promise<unknown> }, paths: readonly string[]): Promise<void> {
  for (const path of paths) await tree.stat(path);
}

/** A few at a time, as a page reads. */
export async function readAll(tree: { read(path: string): Promise<unknown> }, paths: readonly string[]): Promise<void> {
  for (let begin = 0; begin < paths.length; begin += 100) {
    await Promise.all(paths.slice(begin, begin + 100).map((path) => tree.read(path)));
  }
}

/** So many of the paths, far from each other. */
export function spread(paths: readonly string[], count: number): string[] {
  // A step that has no factor in common with usual counts goes through all of them.
  return Array.from({ length: count }, (_, at) => paths[(at * 7_919) % paths.length] ?? "/");
}
