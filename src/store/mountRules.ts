import { entryNameProblem } from "../archive";
import { limits } from "../base";
import { normalizeFsPath } from "../fs";
import type { MountRecord } from "./mountRecord";
import { unseenProblem } from "./shownName";

const COLORS = 8;

/** Why a mount cannot stand at `prefix`, or `undefined` when it can. `self` is the mount being edited. */
export function prefixProblem(
  prefix: string,
  records: readonly Pick<MountRecord, "id" | "prefix">[],
  self?: string,
): string | undefined {
  if (prefix.trim() === "") return "A mount needs a path, e.g. /repo.";
  if (!prefix.startsWith("/")) return "A mount's path begins with /.";
  if (prefix !== "/") {
    const problem = segmentsProblem(prefix.slice(1).replace(/\/$/, ""));
    if (problem) return problem;
  }
  const normal = normalizeFsPath(prefix);
  const isAsItWas = records.some((record) => record.id === self && record.prefix === normal);
  const unseen = isAsItWas ? undefined : unseenProblem(prefix);
  if (unseen) return unseen;
  if (records.some((record) => record.id !== self && record.prefix === normal)) {
    return `There is a mount at ${normal} already.`;
  }
  return undefined;
}

/**
 * Why a file or folder cannot be called `name` (which may hold `/`), or `undefined` when it can. What an entry is called
 * already it may keep: names that come from archives are as they are.
 */
export function nameProblem(name: string, before = ""): string | undefined {
  if (name.trim() === "") return "It needs a name.";
  const kept = new Set(before.split("/"));
  const given = name.split("/").filter((segment) => !kept.has(segment));
  return segmentsProblem(name.replace(/\/$/, "")) ?? unseenProblem(given.join("/"));
}

/** Why an entry of an upload or an archive is not taken, as the second half of a sentence; `undefined` when it is. */
export function importNameProblem(path: string): string | undefined {
  const problem = entryNameProblem(path);
  if (problem) return problem;
  return path.split("/").some(isTooLong) ? `a name in its path is longer than ${limits.nameBytes} bytes` : undefined;
}

/** The colour fewest mounts have, the first of them. */
export function nextColor(records: readonly MountRecord[]): number {
  const counts = Array.from(
    { length: COLORS },
    (_, index) => records.filter((record) => record.color === index + 1).length,
  );
  return counts.indexOf(Math.min(...counts)) + 1;
}

function segmentsProblem(path: string): string | undefined {
  const problem = entryNameProblem(path);
  if (problem) return `This cannot be used: ${problem}.`;
  return path.split("/").some(isTooLong) ? `A name may have at most ${limits.nameBytes} bytes.` : undefined;
}

const encoder = new TextEncoder();

function isTooLong(segment: string): boolean {
  return segment.length * 3 > limits.nameBytes && encoder.encode(segment).length > limits.nameBytes;
}
