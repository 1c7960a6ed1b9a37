import { tempFs, unionFs, type EditableFileSystem, type FileSystem, type TreeOptions, type VersionedTree } from "../fs";
import { outputOnScratch, SCRATCH_PREFIX, type Tool } from "../tools";

/** A turn's own `/tmp`: kept while the turn waits for a person, dropped when it ends, in no session's handle. */
export interface TurnScratch {
  readonly tree: EditableFileSystem & VersionedTree;
  /** The harness's own directory, where a host would have put what is here: such paths are read as those in the scratch. */
  readonly cwd: string;
}

export function turnScratch(cwd: string, options: TreeOptions = {}): TurnScratch {
  return { tree: tempFs({}, options), cwd };
}

/** The tree of the turn: the author's with the scratch at `/tmp`, which hides whatever the author has there. */
export function treeWithScratch(authored: FileSystem, { tree }: TurnScratch): FileSystem {
  return unionFs({ "/": authored, [SCRATCH_PREFIX]: tree });
}

/** A web tool whose results name what they spilled by its path in the scratch. */
export function toolWithScratch(tool: Tool, { cwd }: TurnScratch): Tool {
  return { ...tool, execute: async (input, call) => outputOnScratch(await tool.execute(input, call), cwd) };
}
