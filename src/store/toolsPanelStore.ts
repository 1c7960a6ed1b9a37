import { createStore, type StoreApi } from "zustand/vanilla";
import { agentReport, type AgentReport } from "../agent";
import type { AgentJsonTextStore } from "./agentJsonText";
import type { DiscoveryFault } from "../base";
import type { HarnessTools } from "./connectionsState";
import { AGENT_ID } from "./editorDocument";
import type { EditorState, EditorStore } from "./editorStore";
import { framePacer } from "./framePacer";
import type { AgentDocument } from "./projectDocument";
import type { SessionStore } from "./sessionStoreState";
import { toolRows, type ToolRow } from "./toolsPanelRows";
import { createTryToolStore, type TryToolStore } from "./tryToolStore";
import type { WorkbenchCore } from "./workbenchCore";

export interface ToolsPanelState {
  /** Every tool of the allowlist and of connections, each in its place, offered or not. */
  readonly rows: readonly ToolRow[];
  /** Why no run could begin. */
  readonly faults: readonly DiscoveryFault[];
  readonly warnings: readonly DiscoveryFault[];
  /** Why the definition as it is typed cannot be read; all else is as it last could. */
  readonly unreadable: string | undefined;
  /** The definition is typed and not saved: runs go by the saved one until it is. */
  readonly isUnsaved: boolean;
}

/** The tools of the agent as its definition stands in the editor, and calls of them by hand. */
export interface ToolsPanel {
  readonly state: StoreApi<ToolsPanelState>;
  readonly tries: TryToolStore;
  /** Resolves when the state is of the definition and the connections as they are now. */
  refresh(): Promise<void>;
  dispose(): void;
}

export interface ToolsPanelNeeds extends WorkbenchCore {
  readonly editor: EditorStore;
  readonly agentJson: AgentJsonTextStore;
  readonly session: SessionStore;
}

export async function createToolsPanel(needs: ToolsPanelNeeds): Promise<ToolsPanel> {
  const { services, project, mounts, connections, editor, agentJson } = needs;
  let harnessTools: HarnessTools = await connections.getState().currentTools();
  const report = (): AgentReport => {
    const tree = mounts.getState().liveTree();
    return agentReport(boundToMounts(definitionAsTyped(needs).value, tree), { tree, harnessTools });
  };
  const state = createStore<ToolsPanelState>()(() => ({
    rows: [],
    faults: [],
    warnings: [],
    unreadable: undefined,
    isUnsaved: false,
  }));
  const show = () => {
    const { value, ...typed } = definitionAsTyped(needs);
    // What cannot be read changes nothing but the words that say so: a person is in the middle of typing.
    if (typed.unreadable !== undefined) return state.setState(typed);
    const found = report();
    const mcpTools = harnessTools.mcp ?? [];
    state.setState({
      rows: toolRows(found, {
        asksBeforeWrites: (value as Partial<AgentDocument> | null)?.approvals === "writes",
        mcpOf: (toolName) => mcpTools.find(({ name }) => name === toolName)?.mcp,
      }),
      faults: found.faults,
      warnings: found.warnings,
      unreadable: undefined,
      ...typed,
    });
  };
  const refresh = async () => {
    harnessTools = await connections.getState().currentTools();
    show();
  };
  const showSoon = framePacer(
    (callback) => services.scheduleFrame(callback),
    async () => show(),
  );
  const refreshSoon = framePacer((callback) => services.scheduleFrame(callback), refresh);
  const stops = [
    agentJson.subscribe((now, before) => {
      if (now.text !== before.text) showSoon();
    }),
    editor.subscribe((now, before) => {
      if (isUnsaved(now) !== isUnsaved(before)) showSoon();
    }),
    project.subscribe((now, before) => {
      if (now.agent !== before.agent) showSoon();
      if (now.webSearch !== before.webSearch) refreshSoon();
    }),
    connections.subscribe((now, before) => {
      if (now.connections !== before.connections) refreshSoon();
    }),
  ];
  show();
  const tries = createTryToolStore(needs, () => report().definition);
  return {
    state,
    tries,
    refresh,
    dispose() {
      for (const stop of stops) stop();
      tries.getState().stopAll();
    },
  };
}

interface TypedDefinition {
  readonly value: unknown;
  readonly isUnsaved: boolean;
  readonly unreadable?: string;
}

/** The definition as it stands in whichever view it is edited in. */
function definitionAsTyped({ editor, project, agentJson }: ToolsPanelNeeds): TypedDefinition {
  const { instructions } = project.getState().agent;
  const typed = { isUnsaved: isUnsaved(editor.getState()) };
  try {
    const value: unknown = JSON.parse(agentJson.getState().text);
    return { ...typed, value: isObject(value) ? { ...value, instructions } : value };
  } catch (error) {
    return { ...typed, value: undefined, unreadable: error instanceof Error ? error.message : String(error) };
  }
}

function isUnsaved({ documents }: EditorState): boolean {
  return documents.some(({ id, dirty }) => id === AGENT_ID && dirty);
}

/** Runs of a project are bound to its mounts, whatever else the definition names. */
function boundToMounts(value: unknown, root: object): unknown {
  return isObject(value) ? { ...value, root } : value;
}

function isObject(value: unknown): value is object {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
