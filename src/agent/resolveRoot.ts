import { DiscoveryError } from "../base";
import type { FileSystem } from "../fs";
import type { AgentDefinition } from "./agentDefinition";
import { isVirtual, type PartialFileSystem, type RootContext } from "./runtime";

/**
 * The tree a turn runs on: the `root` or the virtual runtime's tree, a factory asked anew each time this is called (a
 * session asks for a `root` before every turn, for a virtual tree once). `undefined` where the agent names no tree.
 * @throws DiscoveryError where a factory returns no tree; whatever the author's factory throws
 */
export async function resolveRoot(
  definition: AgentDefinition,
  context: RootContext,
): Promise<FileSystem | PartialFileSystem | undefined> {
  const { root, runtime } = definition;
  if (root !== undefined) return typeof root === "function" ? madeTree("root", await root(context)) : root;
  if (!isVirtual(runtime)) return undefined;
  const { tree = {} } = runtime;
  return typeof tree === "function" ? madeTree("runtime", await tree(context)) : tree;
}

/** Nothing stands in for a tree that does not come: the agent would work on files it was not given. */
function madeTree<Tree extends PartialFileSystem>(field: "root" | "runtime", made: Tree): Tree {
  if (typeof made === "object" && (made as unknown) !== null && !Array.isArray(made)) return made;
  throw new DiscoveryError([{ field, problem: "The factory returned no tree.", mend: "Return a FileSystem." }]);
}
