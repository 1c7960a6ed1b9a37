import type { AgentDefinition } from "./agentDefinition";
import type { FileSystem } from "../fs";
import { isVirtual, type PartialFileSystem, type RootContext } from "./runtime";

/**
 * The tree a turn runs on: the `root` or the virtual runtime's tree, a factory asked anew each time this is called (a
 * session asks for a `root` before every turn, for a virtual tree once). `undefined` where the agent names no tree.
 * @throws whatever the author's factory throws
 */
export async function resolveRoot(
  definition: AgentDefinition,
  context: RootContext,
): Promise<FileSystem | PartialFileSystem | undefined> {
  const { root, runtime } = definition;
  if (root !== undefined) return typeof root === "function" ? await root(context) : root;
  if (!isVirtual(runtime)) return undefined;
  const { tree = {} } = runtime;
  return typeof tree === "function" ? await tree(context) : tree;
}
