import { limits } from "../base";
import { fileTypeGlobs } from "./fileTypeGlobs";

/** The few types that may be meant by a name that is none: those that hold such an ending, then those spelled nearly so. */
export function nearestFileTypes(name: string): readonly string[] {
  const lower = name.toLowerCase().replace(/^\*?\./, "");
  const ranked: [type: string, distance: number][] = [];
  for (const [type, globs] of fileTypeGlobs) {
    const distance = globs.includes(`*.${lower}`) ? 0 : editDistance(type, lower);
    // With as many changes as letters any name is as near as another.
    if (distance <= Math.floor(lower.length / 2)) ranked.push([type, distance]);
  }
  return ranked
    .toSorted(([, a], [, b]) => a - b)
    .slice(0, limits.nearestFileTypes)
    .map(([type]) => type);
}

/** Letters to put in, take out or exchange; `Infinity` where the lengths alone say that it is more than half. */
function editDistance(type: string, name: string): number {
  if (Math.abs(type.length - name.length) > name.length / 2) return Infinity;
  let row = Array.from({ length: name.length + 1 }, (_, index) => index);
  for (const [index, letter] of type.split("").entries()) {
    const next = [index + 1];
    for (let at = 1; at <= name.length; at++) {
      const exchanged = (row[at - 1] ?? 0) + (name[at - 1] === letter ? 0 : 1);
      next.push(Math.min(exchanged, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? Infinity;
}
