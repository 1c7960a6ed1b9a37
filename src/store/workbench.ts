import { createAgentJsonText, type AgentJsonTextStore } from "./agentJsonText";
import type { CompareStore } from "./compareState";
import { createCompareStore } from "./compareStore";
import { createConnectionsStore } from "./connectionsStore";
import { createEditorStore, type EditorStore } from "./editorStore";
import { createModelStore, type ModelStore } from "./modelStore";
import { createMountsStore } from "./mountsStore";
import { createNoticeStore } from "./noticeStore";
import type { ProjectFileActions } from "./projectFileActions";
import { isHostRuntime } from "./hostRuntime";
import type { ProjectHost } from "./projectHost";
import { createProjectStore } from "./projectStore";
import type { ReplayStore } from "./replayState";
import { createReplayStore } from "./replayStore";
import { createSessionStore } from "./sessionStore";
import type { SessionStore } from "./sessionStoreState";
import type { ReexecuteStore } from "./reexecuteState";
import type { SessionForks } from "./forkSessionState";
import type { TerminalStore } from "./terminalStore";
import type { ToolsPanel } from "./toolsPanelStore";
import type { SessionOfProject } from "../trajectory";
import type { JsonObject } from "../base";
import type { WorkbenchCore } from "./workbenchCore";
import type { WorkbenchServices } from "./workbenchServices";

/** One open project with all its stores. Another project is another workbench. */
export interface Workbench extends WorkbenchCore, ProjectFileActions {
  readonly editor: EditorStore;
  /** The agent definition as it is being edited. */
  readonly agentJson: AgentJsonTextStore;
  readonly model: ModelStore;
  readonly session: SessionStore;
  readonly compare: CompareStore;
  readonly replay: ReplayStore;
  /** What the agent is offered as its definition stands, loaded when it is first asked for; the same to whoever asks. */
  toolsPanel(): Promise<ToolsPanel>;
  /** A person's commands on the project's host, loaded when first asked for; the same to whoever asks. */
  terminal(): Promise<TerminalStore>;
  /** Recorded sessions run again, loaded when first asked for; the same to whoever asks. */
  reexecution(): Promise<ReexecuteStore>;
  /** New sessions out of recorded ones, loaded when first asked for; the same to whoever asks. */
  forks(): Promise<SessionForks>;
  /** Writes what is unsaved and lets the project's records go. */
  dispose(): Promise<void>;
}

/** @throws UnavailableError when the project's records cannot be opened. */
export async function createWorkbench(services: WorkbenchServices, projectId: string): Promise<Workbench> {
  const storage = await services.catalog.open(projectId);
  const notices = createNoticeStore();
  const project = await createProjectStore({ services, storage, notices });
  const mounts = await createMountsStore({ services, storage, notices, project });
  const connections = createConnectionsStore({ services, notices, project });
  let openedHost: Promise<ProjectHost> | undefined;
  const host = async () => {
    openedHost ??= import("./projectHost").then(({ createProjectHost }) =>
      createProjectHost({ services, storage, notices, project, mounts }),
    );
    return await openedHost;
  };
  const saveTyped = () => {
    const { documents, saveAll } = editor.getState();
    return documents.some(({ dirty }) => dirty) ? saveAll() : undefined;
  };
  const core: WorkbenchCore = { services, storage, notices, project, mounts, connections, host, saveTyped };
  const stopPlacing = project.subscribe((now, before) => {
    if (now.agent.runtime === before.agent.runtime || !isHostRuntime(now.agent.runtime)) return;
    void host().then((placed) => placed.ensureDisk());
  });
  const editor = createEditorStore(core);
  const agentJson = createAgentJsonText(editor, project);
  const model = createModelStore(core);
  const session = createSessionStore(core);
  const compare = createCompareStore(core);
  const replay = createReplayStore(core);
  let terminal: Promise<TerminalStore> | undefined;
  let panel: Promise<ToolsPanel> | undefined;
  let reexecution: Promise<ReexecuteStore> | undefined;
  let forks: Promise<SessionForks> | undefined;
  const fileActions = async () => {
    const { projectFileActions } = await import("./projectFileActions");
    return projectFileActions(core, () => openSessionOf(session));
  };
  const openedPanel = async () => {
    const { createToolsPanel } = await import("./toolsPanelStore");
    return await createToolsPanel({ ...core, agentJson, session });
  };
  return {
    ...core,
    exportProject: async () => (await fileActions()).exportProject(),
    importProject: async (file) => (await fileActions()).importProject(file),
    editor,
    agentJson,
    model,
    session,
    compare,
    replay,
    terminal: () =>
      (terminal ??= import("./terminalStore").then(({ createTerminalStore }) => createTerminalStore(core))),
    toolsPanel: () => (panel ??= openedPanel()),
    reexecution: () =>
      (reexecution ??= import("./reexecuteStore").then(({ createReexecuteStore }) => createReexecuteStore(core))),
    forks: () => (forks ??= import("./forkSessionMake").then(({ sessionForks }) => sessionForks(core, session))),
    async dispose() {
      stopPlacing();
      await terminal?.then((opened) => opened.getState().stop());
      await reexecution?.then((opened) => opened.getState().stop());
      await panel?.then((opened) => opened.dispose());
      await session.getState().dispose();
      await editor.getState().saveAll();
      await openedHost?.then((opened) => opened.dispose());
      await mounts.getState().dispose();
      connections.getState().dispose();
      await project.getState().flush();
      agentJson.getState().dispose();
      editor.getState().dispose();
      project.getState().dispose();
      await storage.close();
    },
  };
}

/** The session that is shown, as far as the page holds it. */
function openSessionOf(session: SessionStore): SessionOfProject | undefined {
  const { currentId, events, sessions } = session.getState();
  const record = sessions.find(({ id }) => id === currentId);
  return record && { record: record as unknown as JsonObject, events: events() };
}
