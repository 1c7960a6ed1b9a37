import { nativeFileToolNames, type NativeFileToolName } from "../base";
import type { FileSystem } from "../fs";
import { onHostDirectory } from "./hostPaths";
import { toolFromShape } from "./nativeDefinition";
import { nativeDefinitions } from "./nativeDefinitions";
import type { Tool } from "./tool";

/**
 * The file tools a tree can serve, in the order of `nativeFileToolNames`, narrowed to `names` where given. A tool is
 * there exactly when the verbs it needs are functions on the tree; no verb is made up from others. `hostDirectory` is
 * where a relative path begins on a host's disk; on any other tree it begins at `/`.
 */
export function synthesizeTools(
  tree: Partial<FileSystem>,
  names: readonly NativeFileToolName[] = nativeFileToolNames,
  hostDirectory?: string,
): Tool[] {
  return nativeFileToolNames
    .filter((name) => names.includes(name) && canServe(tree, name))
    .map((name) => {
      const plain = nativeDefinitions[name];
      const definition = hostDirectory === undefined ? plain : onHostDirectory(plain, hostDirectory);
      return toolFromShape(definition, (input, call) => definition.run(tree as FileSystem, input, call));
    });
}

/** Whether the tree has every verb the tool needs. A stub that throws counts as there. */
export function canServe(tree: Partial<FileSystem>, name: NativeFileToolName): boolean {
  return missingVerbs(tree, name).length === 0;
}

/** The verbs the tool needs and the tree has not. */
export function missingVerbs(tree: Partial<FileSystem>, name: NativeFileToolName): readonly (keyof FileSystem)[] {
  return nativeDefinitions[name].verbs.filter((verb) => typeof tree[verb] !== "function");
}
