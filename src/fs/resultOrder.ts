import type { DirEntry, GrepResult, SearchResult } from "./fileSystem";

/** The orders the verbs promise (docs/filesystem.md, section 1), for those who merge what several trees yield. */
export function byPath(a: DirEntry, b: DirEntry): number {
  return order(a.path, b.path);
}

export function byLine(a: GrepResult, b: GrepResult): number {
  return order(a.path, b.path) || a.lineNumber - b.lineNumber;
}

export function byScore(a: SearchResult, b: SearchResult): number {
  return b.score - a.score || order(a.path, b.path) || a.startLine - b.startLine;
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
