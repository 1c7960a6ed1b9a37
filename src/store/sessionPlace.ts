import type { FileSystem, SnapshotTree, VersionedTree } from "../fs";
import type { ModelSettings } from "../model";
import type { RecordedMount, Served } from "../session";
import type { HarnessTools } from "./connectionsState";
import { isHostRuntime } from "./hostRuntime";
import type { AgentDocument } from "./projectDocument";
import type { SessionHost } from "./sessionHost";
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
  liveTree(observe?: (served: Served) => void): FileSystem & VersionedTree;
  /** The tree as it is now, every write so far included. */
  currentSnapshot(): Promise<SnapshotTree>;
  /** The same, told that a run begins on it. */
  beginRun(): Promise<SnapshotTree>;
  /** The mounts as they are, to go on with whatever becomes of the table; left out where nothing can become of it. */
  table?(): Pick<SessionPlace, "mounts" | "liveTree" | "currentSnapshot">;
  /**
   * The host where the agent runs on it, held for this tab, its disk among the mounts; left out where there is none.
   * @throws HostError `busy-tab` while another tab holds it
   */
  host?(): Promise<SessionHost | undefined>;
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
  host,
}: Pick<WorkbenchCore, "project" | "mounts" | "connections" | "host">): SessionPlace {
  const isOnHost = () => isHostRuntime(project.getState().agent.runtime);
  const table = () => {
    const whole = mounts.getState().table();
    return isOnHost() ? whole.hostOnly() : whole;
  };
  const heldHost = async () => (isOnHost() ? await (await host()).forSession() : undefined);
  return {
    agent: () => project.getState().agent,
    model: () => project.getState().model,
    mounts: () => table().recorded(),
    harnessTools: () => connections.getState().harnessTools(project.getState().model),
    liveTree: (observe = () => undefined) => table().observedTree(observe),
    currentSnapshot: () => table().tree().snapshot(),
    async beginRun() {
      await heldHost();
      return await mounts.getState().markRunBegin();
    },
    host: heldHost,
    showScratch: (sessionId, tree) => mounts.getState().showScratch(sessionId, tree),
    table() {
      const now = table();
      return {
        mounts: () => now.recorded(),
        liveTree: (observe = () => undefined) => now.observedTree(observe),
        currentSnapshot: () => now.tree().snapshot(),
      };
    },
  };
}
