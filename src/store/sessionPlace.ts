import type { FileSystem, SnapshotTree } from "../fs";
import type { ModelSettings } from "../model";
import type { RecordedMount, Served } from "../session";
import type { HarnessTools } from "./connectionsState";
import type { AgentDocument } from "./projectDocument";
import type { ScratchTree } from "./turnScratches";
import type { WorkbenchCore } from "./workbenchCore";

/** Where a session runs and as whom: asked anew at each turn, because a person may change any of it in between. */
export interface SessionPlace {
  agent(): AgentDocument;
  model(): ModelSettings;
  mounts(): readonly RecordedMount[];
  /** What a run gets beside the tools of its tree; nothing where left out. Never throws. */
  harnessTools?(): Promise<HarnessTools>;
  /** A fresh view of the tree that tells what each mount serves. */
  liveTree(observe?: (served: Served) => void): FileSystem;
  /** The tree as it is now, every write so far included. */
  currentSnapshot(): Promise<SnapshotTree>;
  /** The same, told that a run begins on it. */
  beginRun(): Promise<SnapshotTree>;
  /** The mounts as they are, to go on with whatever becomes of the table; left out where nothing can become of it. */
  table?(): Pick<SessionPlace, "mounts" | "liveTree" | "currentSnapshot">;
  /** Shows a person the `/tmp` of a session's turn while it lasts; `undefined` when it is over. */
  showScratch?(sessionId: string, tree: ScratchTree | undefined): void;
  /** Sent with every model call where the same choices are wanted again. */
  readonly callSeed?: number;
}

/** The project itself: its agent, its model, its mounts. */
export function projectPlace({
  project,
  mounts,
  connections,
}: Pick<WorkbenchCore, "project" | "mounts" | "connections">): SessionPlace {
  return {
    agent: () => project.getState().agent,
    model: () => project.getState().model,
    mounts: () => mounts.getState().table().recorded(),
    harnessTools: () => connections.getState().harnessTools(project.getState().model),
    liveTree: (observe) => mounts.getState().liveTree(observe),
    currentSnapshot: () => mounts.getState().currentSnapshot(),
    beginRun: () => mounts.getState().markRunBegin(),
    showScratch: (sessionId, tree) => mounts.getState().showScratch(sessionId, tree),
    table() {
      const table = mounts.getState().table();
      return {
        mounts: () => table.recorded(),
        liveTree: (observe = () => undefined) => table.observedTree(observe),
        currentSnapshot: () => table.tree().snapshot(),
      };
    },
  };
}
