import { createAgentJsonText, type AgentJsonTextStore } from "./agentJsonText";
import type { CompareStore } from "./compareState";
import { createCompareStore } from "./compareStore";
import { createConnectionsStore } from "./connectionsStore";
import { createEditorStore, type EditorStore } from "./editorStore";
import { createModelStore, type ModelStore } from "./modelStore";
import { createMountsStore } from "./mountsStore";
import { createNoticeStore } from "./noticeStore";
import { projectFileActions, type ProjectFileActions } from "./projectFileActions";
import { createProjectStore } from "./projectStore";
import type { ReplayStore } from "./replayState";
import { createReplayStore } from "./replayStore";
import { createSessionStore } from "./sessionStore";
import type { SessionStore } from "./sessionStoreState";
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
  const core: WorkbenchCore = { services, storage, notices, project, mounts, connections };
  const editor = createEditorStore(core);
  const agentJson = createAgentJsonText(editor, project);
  const model = createModelStore(core);
  const session = createSessionStore(core);
  const compare = createCompareStore(core);
  const replay = createReplayStore(core);
  let panel: Promise<ToolsPanel> | undefined;
  const openedPanel = async () => {
    const { createToolsPanel } = await import("./toolsPanelStore");
    return await createToolsPanel({ ...core, agentJson, session });
  };
  return {
    ...core,
    ...projectFileActions(core, () => openSessionOf(session)),
    editor,
    agentJson,
    model,
    session,
    compare,
    replay,
    toolsPanel: () => (panel ??= openedPanel()),
    async dispose() {
      await panel?.then((opened) => opened.dispose());
      await session.getState().dispose();
      await editor.getState().saveAll();
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
