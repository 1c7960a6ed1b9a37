import { createStore } from "zustand/vanilla";
import { connectionProblem, type ConnectionChoice, type ConnectionRecord } from "./connectionRecord";
import type { ConnectionsDriver, ConnectionsNeeds } from "./connectionsDriver";
import type { ConnectionsState, ConnectionsStore, ConnectionView } from "./connectionsState";
import { SEARCH_KEY_USE } from "./searchKeyUse";

/** The project's connections and its web search. What is kept of them is in the project's document; keys are in memory. */
export function createConnectionsStore(needs: ConnectionsNeeds): ConnectionsStore {
  const { services, project } = needs;
  const { keyring } = services;
  const records = () => project.getState().connections ?? [];
  const keep = (connections: readonly ConnectionRecord[]) => project.getState().change({ connections });
  const endpoint = () => project.getState().webSearch?.endpoint ?? "";
  const problemOf = (choice: ConnectionChoice, id?: string) =>
    connectionProblem(
      choice,
      records().filter((other) => other.id !== id),
    );
  const searchFacts = () => ({ endpoint: endpoint(), hasKey: keyring.has(endpoint(), SEARCH_KEY_USE) });
  let driver: ConnectionsDriver | undefined;
  let isOver = false;
  const loading = once(async () => {
    const { ConnectionsDriver: Driver } = await import("./connectionsDriver");
    driver = new Driver(needs, store);
    if (!isOver) driver.follow();
    return driver;
  });

  const store: ConnectionsStore = createStore<ConnectionsState>()((set) => ({
    connections: records().map(unopened),
    webSearch: searchFacts(),

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
      driver?.stopSignIn(id);
      void driver?.get(id)?.signOut();
      keep(records().filter((record) => record.id !== id));
    },
    setEnabled(id, enabled) {
      if (!enabled) driver?.stopSignIn(id);
      keep(records().map((record) => (record.id === id ? { ...record, enabled } : record)));
    },
    connect: async (id) => await driver?.get(id)?.connect(),
    // Not behind a load: the window opens in the click, and whoever asks for a sign-in has loaded it.
    signIn: async (id) => await driver?.signIn(id),
    stopSignIn: (id) => driver?.stopSignIn(id),
    setToken: async (id, token) => await driver?.get(id)?.setToken(token),
    async signOut(id) {
      await driver?.get(id)?.signOut();
      await driver?.get(id)?.connect();
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
      set({ webSearch: searchFacts() });
    },
    currentTools: async (settings) => await (await loading()).currentTools(settings),
    harnessTools: async (settings) => await (await loading()).harnessTools(settings),
    dispose() {
      isOver = true;
      stopWatching();
      driver?.dispose();
    },
  }));

  // The document may also be changed in another tab.
  const stopWatching = project.subscribe((state, before) => {
    if (state.webSearch !== before.webSearch) store.setState({ webSearch: searchFacts() });
    if (state.connections === before.connections) return;
    if (driver !== undefined) {
      driver.follow();
      return;
    }
    store.setState({ connections: records().map(unopened) });
    void loading();
  });
  if (records().length > 0) void loading();
  return store;
}

/** How a connection shows before what opens it is there. */
function unopened(record: ConnectionRecord): ConnectionView {
  return { ...record, status: record.enabled ? "connecting" : "off", tools: [], hasToken: false };
}

/** The same promise to whoever asks. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
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
