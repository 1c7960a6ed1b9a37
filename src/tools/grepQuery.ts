import { limits, type JsonObject } from "../base";
import { normalizeFsPath, type FileSystem, type GrepQuery } from "../fs";
import { untilStopped } from "./stopping";
import { ToolInputError } from "./toolInputError";

/** The part of the arguments that is the tree's own query. */
export function grepQuery(input: JsonObject): GrepQuery {
  return {
    pattern: input.pattern as string,
    path: normalizeFsPath((input.path as string | undefined) ?? "/"),
    glob: input.glob as string | undefined,
    type: input.type as string | undefined,
    caseInsensitive: input.caseInsensitive as boolean | undefined,
    multiline: input.multiline as boolean | undefined,
  };
}

/** Which results are shown. */
export function grepPage(input: JsonObject): { readonly offset: number; readonly limit: number } {
  return {
    offset: (input.offset as number | undefined) ?? 0,
    limit: (input.headLimit as number | undefined) ?? limits.grepHits,
  };
}

/** Whether the results are wanted in the order the tree gives them. */
export function isTreeOrder(input: JsonObject): boolean {
  return input.sort !== "modified" && input.sortAscending !== false;
}

/**
 * The files in the order asked for.
 * @throws ToolInputError where the tree cannot tell when files were modified
 */
export async function sortedFiles(
  tree: Partial<FileSystem>,
  files: readonly string[],
  input: JsonObject,
  signal: AbortSignal,
): Promise<string[]> {
  const ascending = input.sort === "modified" ? await byModified(tree, files, signal) : [...files];
  return input.sortAscending === false ? ascending.toReversed() : ascending;
}

async function byModified(tree: Partial<FileSystem>, files: readonly string[], signal: AbortSignal): Promise<string[]> {
  const { stat } = tree;
  if (typeof stat !== "function") {
    throw new ToolInputError("Grep", "sort", 'this tree does not tell when files were modified; sort by "path"');
  }
  const dated: { file: string; modifiedAt: number }[] = [];
  for (const file of files) {
    const info = await untilStopped(stat.call(tree, file), signal);
    dated.push({ file, modifiedAt: info.modifiedAt ?? 0 });
  }
  // Files come by path and the sort is stable: equal times stay by path.
  return dated.toSorted((a, b) => a.modifiedAt - b.modifiedAt).map(({ file }) => file);
}
