import { createStore } from "zustand/vanilla";
import { limits } from "../base";
import type { McpConnection } from "../mcp";
import type { ModelSettings } from "../model";
import { connectionProblem, type ConnectionChoice, type ConnectionRecord } from "./connectionRecord";
import type { ConnectionsState, ConnectionsStore, ConnectionView, HarnessTools } from "./connectionsState";
import { LiveConnections } from "./liveConnections";
import { SEARCH_KEY_USE, webSearchSource } from "./webSearchSource";
import type { WorkbenchCore } from "./workbenchCore";

type Needs = Pick<WorkbenchCore, "services" | "notices" | "project">;

/** The project's connections and its web search. What is kept of them is in the project's document; keys are in memory. */
export function createConnectionsStore({ services, notices, project }: Needs): ConnectionsStore {
  const { keyring } = services;
  const records = () => project.getState().connections ?? [];
  const keep = (connections: readonly ConnectionRecord[]) => project.getState().change({ connections });
  const endpoint = () => project.getState().webSearch?.endpoint ?? "";
  const live = new LiveConnections(keyring, () => show());
  const signingIn = new Map<string, AbortController>();
  /** What was said last of a connection whose tools a run had to do without. */
  const told = new Map<string, string>();

  const viewOf = (record: ConnectionRecord): ConnectionView =>
    viewFrom(record, live.get(record.id), signingIn.has(record.id));
  const show = () => store.setState({ connections: records().map(viewOf) });
  const showSearch = (source?: { readonly name: string; readonly fixture?: true }) => {
    const address = endpoint();
    store.setState({
      webSearch: { endpoint: address, hasKey: keyring.has(address, SEARCH_KEY_USE), ...(source && { source }) },
    });
  };
  const problemOf = (choice: ConnectionChoice, id?: string) =>
    connectionProblem(
      choice,
      records().filter((other) => other.id !== id),
    );

  const toolsNow = async (settings?: ModelSettings): Promise<HarnessTools> => {
    const { webFetchTool, webSearchTool } = await import("../tools");
    const source = await webSearchSource({ ...(settings && { settings }), endpoint: endpoint(), services });
    showSearch({ name: source.name, ...(source.fixture === true ? { fixture: true } : {}) });
    return { webFetch: [webFetchTool()], webSearch: [webSearchTool(source)], mcp: live.tools() };
  };
  const tellMissing = () => {
    for (const { id, name, enabled, status, message } of store.getState().connections) {
      const missing = enabled && status !== "ready" ? (message ?? "it has not answered yet.") : "";
      if (missing !== "" && told.get(id) !== missing) {
        notices.getState().push({ tone: "warn", text: `The run goes without the tools of ${name}: ${missing}` });
      }
      told.set(id, missing);
    }
  };

  const store: ConnectionsStore = createStore<ConnectionsState>()(() => ({
    connections: [],
    webSearch: { endpoint: endpoint(), hasKey: false },

    addConnection(choice) {
      const problem = problemOf(choice);
      if (problem !== undefined) return problem;
      keep([...records(), { ...trimmed(choice), id: freeId(records()), enabled: true }]);
      return undefined;
    },
    editConnection(id, choice) {
      const problem = problemOf(choice, id);
      if (problem !== undefined) return problem;
      keep(
        records().map((record) => (record.id === id ? { id, enabled: record.enabled, ...trimmed(choice) } : record)),
      );
      return undefined;
    },
    removeConnection(id) {
      signingIn.get(id)?.abort();
      void live.get(id)?.signOut();
      keep(records().filter((record) => record.id !== id));
    },
    setEnabled(id, enabled) {
      if (!enabled) signingIn.get(id)?.abort();
      keep(records().map((record) => (record.id === id ? { ...record, enabled } : record)));
    },
    connect: async (id) => await live.get(id)?.connect(),
    async signIn(id) {
      const connection = live.get(id);
      if (connection === undefined || signingIn.has(id)) return;
      const window = services.openSignInWindow?.();
      if (window === undefined) {
        const text = "The browser kept the sign-in's window shut: allow pop-ups for this page and sign in again.";
        notices.getState().push({ tone: "warn", text });
        return;
      }
      const stop = new AbortController();
      signingIn.set(id, stop);
      show();
      // Given up: it stands as it was.
      await connection.signIn(window, stop.signal).catch(() => undefined);
      signingIn.delete(id);
      show();
    },
    stopSignIn: (id) => signingIn.get(id)?.abort(),
    setToken: async (id, token) => await live.get(id)?.setToken(token),
    async signOut(id) {
      await live.get(id)?.signOut();
      await live.get(id)?.connect();
    },
    setSearchEndpoint(address) {
      const wanted = address.trim();
      if (wanted !== "" && !(URL.canParse(wanted) && /^https?:$/.test(new URL(wanted).protocol))) {
        return "The address of a search service begins with https:// or http://.";
      }
      if (originOf(wanted) !== originOf(endpoint())) keyring.forget(endpoint(), SEARCH_KEY_USE);
      project.getState().change({ webSearch: { endpoint: wanted } });
      return undefined;
    },
    setSearchKey(key) {
      if (endpoint() === "") return;
      keyring.set(endpoint(), key, SEARCH_KEY_USE);
      showSearch();
    },
    currentTools: () => toolsNow(),
    async harnessTools(settings) {
      await inTime(live.settled());
      tellMissing();
      return await toolsNow(settings);
    },
    dispose() {
      stopWatching();
      for (const stop of signingIn.values()) stop.abort();
      live.closeAll();
    },
  }));

  // The document may also be changed in another tab.
  const stopWatching = project.subscribe((state, before) => {
    if (state.connections !== before.connections) {
      live.follow(records());
      show();
    }
    if (state.webSearch !== before.webSearch) showSearch();
  });
  live.follow(records());
  show();
  return store;
}

function viewFrom(
  record: ConnectionRecord,
  connection: McpConnection | undefined,
  isSigningIn: boolean,
): ConnectionView {
  const state = connection?.state ?? { kind: "closed" as const };
  const status = !record.enabled ? "off" : state.kind === "closed" ? "connecting" : state.kind;
  const tools = record.enabled && state.kind === "ready" ? state.tools : [];
  return {
    ...record,
    status: isSigningIn ? "signing-in" : status,
    ...("message" in state && record.enabled ? { message: state.message } : {}),
    ...(state.kind === "ready" && state.server !== undefined ? { server: state.server } : {}),
    tools: tools.map(({ name, mcp, description, effect, inputSchema }) => {
      return { name, tool: mcp?.tool ?? name, description, effect, inputSchema };
    }),
    hasToken: connection?.hasToken ?? false,
  };
}

function trimmed({ name, url, clientId }: ConnectionChoice): ConnectionChoice {
  const id = clientId?.trim() ?? "";
  return { name: name.trim(), url: url.trim(), ...(id === "" ? {} : { clientId: id }) };
}

function freeId(records: readonly ConnectionRecord[]): string {
  for (let count = records.length + 1; ; count++) {
    if (!records.some(({ id }) => id === `connection_${count}`)) return `connection_${count}`;
  }
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}

/** A server that takes its time does not hold up a run for long. */
async function inTime(work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, limits.mcpRunWaitMs)));
  await Promise.race([work, late]);
  clearTimeout(timer);
}
