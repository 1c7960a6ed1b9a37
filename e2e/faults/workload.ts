import type { IdbFileSystem } from "../../src/fs";
import type { ProjectCatalog, ProjectStore } from "../../src/storage";

/** Where a workload works: one project of a catalog of its own. */
export interface WorkPlace {
  readonly catalog: ProjectCatalog;
  readonly store: ProjectStore;
  readonly disk: IdbFileSystem;
}

/** What is there after a fault. */
export interface Verdict {
  /** What was acknowledged and is not there, or is there in half; in words. */
  readonly losses: readonly string[];
  /** Steps that are there: the acknowledged ones, and those whose acknowledgement came too late. */
  readonly steps: number;
  /** Files, events or projects that were read whole and compared. */
  readonly compared: number;
}

/** Steps counted from 0, each of which makes the same of the same state whoever takes it: what is there can be told from its number. */
export interface Workload {
  /** Takes steps from `from` on, for ever; tells the number of steps that are stored whenever there are more. */
  run(place: WorkPlace, from: number, acknowledge: (steps: number) => void): Promise<never>;
  /** Reads all of it, in a place that was opened anew. */
  check(place: WorkPlace, acknowledged: number): Promise<Verdict>;
}

/** The words of one version of a file: which step wrote it, where, and that it is whole. */
export function textOf(step: number, path: string, characters: number): string {
  const line = `step ${step} of ${path}\n`;
  return `${line.repeat(Math.max(1, Math.ceil(characters / line.length)))}end of step ${step}`;
}

/** The step that wrote a text, or `undefined` when it is not whole. */
export function stepOf(text: string | Uint8Array, path: string): number | undefined {
  if (typeof text !== "string") return undefined;
  const step = Number(/^step (\d+) of /.exec(text)?.[1] ?? NaN);
  const isWhole = Number.isInteger(step) && text === textOf(step, path, text.length - `end of step ${step}`.length);
  return isWhole ? step : undefined;
}

/** A number from 0 to below `below` that depends on what is given alone. */
export function chosen(seed: number, below: number): number {
  let mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) % below;
}

export async function filesOf(disk: IdbFileSystem, directory = "/"): Promise<string[]> {
  const paths: string[] = [];
  for await (const { kind, path } of disk.list(directory)) if (kind === "file") paths.push(path);
  return paths;
}
