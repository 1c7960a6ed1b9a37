import type { FileSystem, SnapshotTree } from "../fs";
import type { ModelSettings } from "../model";
import type { RecordedMount, Served } from "../session";
import type { AgentDocument } from "./projectDocument";
import type { WorkbenchCore } from "./workbenchCore";

/** Where a session runs and as whom: asked anew at each turn, because a person may change any of it in between. */
export interface SessionPlace {
  agent(): AgentDocument;
  model(): ModelSettings;
  mounts(): readonly RecordedMount[];
  /** A fresh view of the tree that tells what each mount serves. */
  liveTree(observe?: (served: Served) => void): FileSystem;
  /** The tree as it is now, every write so far included. */
  currentSnapshot(): Promise<SnapshotTree>;
  /** The same, told that a run begins on it. */
  beginRun(): Promise<SnapshotTree>;
  /** Sent with every model call where the same choices are wanted again. */
  readonly callSeed?: number;
}

/** The project itself: its agent, its model, its mounts. */
export function projectPlace({ project, mounts }: Pick<WorkbenchCore, "project" | "mounts">): SessionPlace {
  return {
    agent: () => project.getState().agent,
    model: () => project.getState().model,
    // The table itself: what is drawn of it comes a frame later.
    mounts: () => project.getState().mounts.map(({ prefix, kind, readOnly }) => ({ prefix, kind, readOnly })),
    liveTree: (observe) => mounts.getState().liveTree(observe),
    currentSnapshot: () => mounts.getState().currentSnapshot(),
    beginRun: () => mounts.getState().markRunBegin(),
  };
}
