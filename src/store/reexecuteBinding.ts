import { bindAgent, defineAgent, type BoundAgent } from "../agent";
import type { Clock } from "../base";
import {
  FileNotFoundError,
  isUnder,
  NoMountError,
  ReadOnlyMountError,
  validFsPath,
  type FileSystem,
  type TreeEngine,
  type VersionedTree,
} from "../fs";
import type { PlaygroundStart, RecordedMount } from "../session";
import { fixtureSearch, todoList, webFetchTool, webSearchTool } from "../tools";
import { placedAgent } from "./agentJsonCheck";
import { hostBinding } from "./hostAgent";
import { isHostRuntime } from "./hostRuntime";
import { recordedAgent } from "./recordedAgent";

/**
 * Binds the agent of a log recorded here to the tree it is run again on: its own tools, its mounts with what they refuse,
 * and one list of todos for the whole session.
 */
export function reexecutionBinding(
  started: PlaygroundStart,
  { engine, clock }: { readonly engine: TreeEngine; readonly clock: Clock },
): (tree: FileSystem) => Promise<BoundAgent> {
  const todos = todoList();
  const { sessionId, asOf, mounts } = started;
  const agent = recordedAgent(started.definition);
  const offered = new Set(started.tools.map(({ name }) => name));
  // They are not run again; that they are there decides whether a turn has a `/tmp`.
  const harnessTools = {
    ...(offered.has("webFetch") ? { webFetch: [webFetchTool()] } : {}),
    ...(offered.has("webSearch") ? { webSearch: [webSearchTool(fixtureSearch())] } : {}),
  };
  return async (tree) => {
    const disk = treeWithMounts(tree as FileSystem & VersionedTree, mounts);
    const { shell: _shell, ...onHost } = isHostRuntime(agent.runtime)
      ? hostBinding({ options: agent.runtime.options ?? {}, sessionId, disk, shell: noShell })
      : { shell: undefined };
    return await bindAgent(defineAgent(placedAgent(agent, disk)), "tree" in onHost ? onHost.tree : disk, {
      ...("cwd" in onHost ? { cwd: onHost.cwd, binding: onHost.binding } : {}),
      harnessTools,
      todos,
      sessionId,
      engine,
      now: clock,
      mounts: mounts.map(({ prefix, readOnly }) => ({ prefix, readOnly })),
      ...(asOf === undefined ? {} : { asOf }),
    });
  };
}

/** Commands are run by the re-execution itself. */
const noShell = () => Promise.reject(new Error("There is no host here."));

/** The tree as a session's mounts let it be written: nothing outside of them, nothing where they are read-only. */
export function treeWithMounts(
  tree: FileSystem & VersionedTree,
  mounts: readonly RecordedMount[],
): FileSystem & VersionedTree {
  const byLength = mounts.toSorted((a, b) => b.prefix.length - a.prefix.length);
  const ownerOf = (path: string): RecordedMount => {
    const owner = byLength.find(({ prefix }) => prefix === "/" || prefix === path || isUnder(path, prefix));
    if (owner === undefined) throw new NoMountError(path);
    return owner;
  };
  return {
    list: (prefix) => tree.list(prefix),
    stat: (path) => tree.stat(path),
    glob: (pattern, directory) => tree.glob(pattern, directory),
    read: async (path) => {
      ownerOf(validFsPath(path));
      return await tree.read(path);
    },
    grep: (query) => tree.grep(query),
    search: (query) => tree.search(query),
    write: async (path, contents) => {
      const valid = validFsPath(path);
      if (ownerOf(valid).readOnly) throw new ReadOnlyMountError(valid);
      await tree.write(path, contents);
    },
    delete: async (path) => {
      const valid = validFsPath(path);
      if (ownerOf(valid).readOnly) {
        if ((await tree.stat(valid)).kind === "missing") throw new FileNotFoundError(valid);
        throw new ReadOnlyMountError(valid);
      }
      await tree.delete(path);
    },
    snapshot: () => tree.snapshot(),
    subscribe: (listener) => tree.subscribe(listener),
  };
}
