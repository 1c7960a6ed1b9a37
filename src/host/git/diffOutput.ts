import type { GitFile } from "./gitIndex";
import { lineCounts, patchText, shortStatText, statText, summaryText, type FilePatch } from "./gitPatch";
import { quotedPath } from "./gitPaths";
import type { GitRepository } from "./gitRepository";
import { differenceLetter, type FileDifference } from "./gitStatus";
import { worktreeBytes } from "./gitWorktree";

/** The ways a set of changes is shown, of `diff`, `show` and `log`. */
export const DIFF_OPTIONS = {
  patch: { names: ["-p", "--patch"] },
  noPatch: { names: ["-s", "--no-patch"] },
  stat: { names: ["--stat"] },
  shortStat: { names: ["--shortstat"] },
  numStat: { names: ["--numstat"] },
  summary: { names: ["--summary"] },
  nameOnly: { names: ["--name-only"] },
  nameStatus: { names: ["--name-status"] },
  context: { names: ["-U", "--unified"], takes: "value" },
  noColor: { names: ["--no-color"] },
  noRenames: { names: ["--no-renames"] },
} as const;

/** Where the new side of a difference is read: objects of the repository, or the files as they lie there. */
export type NewSide = "objects" | "worktree";

/** @param given names of `DIFF_OPTIONS` */
export async function diffText(
  repository: GitRepository,
  found: readonly FileDifference[],
  newSide: NewSide,
  given: ReadonlySet<string>,
  contextLines: number,
): Promise<string> {
  if (given.has("nameOnly")) return found.map(({ path }) => `${quotedPath(path)}\n`).join("");
  if (given.has("nameStatus"))
    return found.map((one) => `${differenceLetter(one)}\t${quotedPath(one.path)}\n`).join("");
  if (found.length === 0 || given.has("noPatch")) return "";
  const patches = await filePatches(repository, found, newSide);
  const parts: string[] = [];
  if (given.has("numStat")) parts.push(patches.map(numStatLine).join(""));
  if (given.has("stat")) parts.push(statText(patches));
  else if (given.has("shortStat")) parts.push(shortStatText(patches.map(lineCounts)));
  if (given.has("summary")) parts.push(summaryText(patches));
  const patchesText = () => patches.map((patch) => patchText(patch, contextLines)).join("");
  if (parts.length === 0) return patchesText();
  return given.has("patch") ? `${parts.join("")}\n${patchesText()}` : parts.join("");
}

export async function filePatches(
  repository: GitRepository,
  found: readonly FileDifference[],
  newSide: NewSide,
): Promise<FilePatch[]> {
  const patches: FilePatch[] = [];
  for (const one of found) {
    const oldBytes = await storedBytes(repository, one.before);
    const isOnDisk = newSide === "worktree" && one.after !== undefined;
    const newBytes = isOnDisk ? await worktreeBytes(repository, one.path) : await storedBytes(repository, one.after);
    patches.push({ ...one, oldBytes, newBytes });
  }
  return patches;
}

async function storedBytes(repository: GitRepository, file: GitFile | undefined): Promise<Uint8Array> {
  if (file === undefined) return new Uint8Array();
  if (file.mode === "160000") return new TextEncoder().encode(`Subproject commit ${file.oid}\n`);
  return repository.blob(file.oid);
}

function numStatLine(patch: FilePatch): string {
  const { added, removed, isBinary } = lineCounts(patch);
  return `${isBinary ? "-\t-" : `${added}\t${removed}`}\t${quotedPath(patch.path)}\n`;
}
