import type { Clock } from "../base";
import { forkFs, observedFs, readOnlyFs, treeFs, unionFs, type SnapshotTree, type TreeEngine } from "../fs";
import type { ModelSettings } from "../model";
import type { RecordedMount } from "../session";
import type { AgentDocument } from "./projectDocument";
import type { SessionPlace } from "./sessionPlace";

export interface ForkedPlaceOptions {
  readonly agent: AgentDocument;
  readonly model: ModelSettings;
  readonly mounts: readonly RecordedMount[];
  /** The merged tree the run begins on. */
  readonly tree: SnapshotTree;
  readonly engine: TreeEngine;
  readonly clock: Clock;
  readonly callSeed?: number;
  readonly harnessTools?: SessionPlace["harnessTools"];
}

/**
 * A copy-on-write copy of the mounts for one run: the same prefixes, read-only where they were, each on its part of the
 * starting tree. Nothing that is written here is seen anywhere else.
 */
export function forkedPlace(options: ForkedPlaceOptions): SessionPlace {
  const { agent, model, mounts, tree, engine, clock, callSeed, harnessTools } = options;
  const forks = mounts.map(({ prefix, readOnly }) => {
    const fork = forkFs(treeFs(tree.subtree(prefix), { engine }), { engine, now: clock });
    return { prefix, tree: readOnly ? readOnlyFs(fork) : fork };
  });
  const liveTree: SessionPlace["liveTree"] = (observe = () => undefined) =>
    unionFs(Object.fromEntries(forks.map((fork) => [fork.prefix, observedFs(fork.tree, fork.prefix, observe)])));
  const union = unionFs(Object.fromEntries(forks.map((fork) => [fork.prefix, fork.tree])));
  return {
    agent: () => agent,
    model: () => model,
    mounts: () => mounts,
    liveTree,
    currentSnapshot: () => union.snapshot(),
    beginRun: () => union.snapshot(),
    ...(callSeed === undefined ? {} : { callSeed }),
    ...(harnessTools === undefined ? {} : { harnessTools }),
  };
}
