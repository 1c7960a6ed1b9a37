import { createStore, type StoreApi } from "zustand/vanilla";
import type { AgentReport } from "../agent";
import type { DiscoveryFault } from "../base";
import { agentJsonReport } from "./agentJsonCheck";
import type { AgentJsonTextStore } from "./agentJsonText";
import type { HarnessTools } from "./connectionsState";
import { framePacer } from "./framePacer";
import type { AgentDocument } from "./projectDocument";
import type { SessionStore } from "./sessionStoreState";
import { toolRows, type ToolRow } from "./toolsPanelRows";
import { createTryToolStore, type TryToolStore } from "./tryToolStore";
import type { WorkbenchCore } from "./workbenchCore";

export interface ToolsPanelState {
  /** Every tool of the allowlist and of connections, each in its place, offered or not. */
  readonly rows: readonly ToolRow[];
  /** What keeps the definition from being saved: runs go by the one saved last. */
  readonly faults: readonly DiscoveryFault[];
  readonly warnings: readonly DiscoveryFault[];
  /** The definition as it is typed, field by field, where it is an object. */
  readonly value: Readonly<Record<string, unknown>> | undefined;
  /** What it comes to. */
  readonly report: AgentReport | undefined;
  /** Why the definition as it is typed cannot be read; all else is as it last could. */
  readonly unreadable: string | undefined;
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
  readonly agentJson: AgentJsonTextStore;
  readonly session: SessionStore;
}

export async function createToolsPanel(needs: ToolsPanelNeeds): Promise<ToolsPanel> {
  const { services, project, mounts, connections, agentJson } = needs;
  let harnessTools: HarnessTools = await connections.getState().currentTools();
  const report = () =>
    agentJsonReport(agentJson.getState().text, {
      instructions: project.getState().agent.instructions,
      tree: mounts.getState().liveTree(),
      harnessTools,
    });
  const state = createStore<ToolsPanelState>()(() => ({
    rows: [],
    faults: [],
    warnings: [],
    value: undefined,
    report: undefined,
    unreadable: undefined,
  }));
  const show = () => {
    const { problem, value, faults, warnings, report: found } = report();
    // What cannot be read changes nothing but the words that say so: a person is in the middle of typing.
    if (problem !== undefined)
      return state.setState({ unreadable: `Line ${problem.line}, column ${problem.column}: ${problem.words}` });
    const mcpTools = harnessTools.mcp ?? [];
    const options = {
      asksBeforeWrites: (value as Partial<AgentDocument> | null)?.approvals === "writes",
      mcpOf: (toolName: string) => mcpTools.find(({ name }) => name === toolName)?.mcp,
    };
    const rows = found === undefined ? {} : { rows: toolRows(found, options) };
    state.setState({ ...rows, faults, warnings, report: found, value: objectFrom(value), unreadable: undefined });
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
    project.subscribe((now, before) => {
      if (now.agent !== before.agent) showSoon();
      if (now.webSearch !== before.webSearch) refreshSoon();
    }),
    connections.subscribe((now, before) => {
      if (now.connections !== before.connections) refreshSoon();
    }),
  ];
  show();
  const tries = createTryToolStore(needs, () => {
    const { faults, report: found } = report();
    return faults.length === 0 ? found?.definition : undefined;
  });
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

function objectFrom(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return undefined;
  return value as Readonly<Record<string, unknown>>;
}
