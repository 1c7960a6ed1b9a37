import { createStore } from "zustand/vanilla";
import type { DriverNeeds, SessionDriver } from "./sessionDriver";
import { messageFromError } from "./messageFromError";
import { noSession } from "./noSession";
import type { SessionImports } from "./sessionImports";
import { sessionLookReaders } from "./sessionLook";
import { sessionRecords } from "./sessionRecords";
import type { SessionStore, SessionStoreState } from "./sessionStoreState";
import type { WorkbenchCore } from "./workbenchCore";

/** The sessions of a project: the one that is shown, the list of them, and the driver of their turns. */
export function createSessionStore(core: WorkbenchCore): SessionStore {
  const { storage, project } = core;
  return createStore<SessionStoreState>()((set, get) => {
    const records = sessionRecords(core, set);
    let imports: Promise<SessionImports> | undefined;
    const loadedImports = () =>
      (imports ??= import("./sessionImports").then(({ sessionImports }) =>
        sessionImports(core, records, (change) => set({ imports: change(get().imports) })),
      ));
    const driver = driverOnDemand({ core, records, get, set });
    const stopWatching = storage.subscribe((change) => {
      if (change.kind === "sessions") records.changed();
      if (change.kind === "log") driver.now()?.logChanged(change.sessionId);
    });
    const stopFollowing = project.subscribe((state) => {
      const asksBeforeWrites = state.agent.approvals === "writes";
      if (asksBeforeWrites !== get().asksBeforeWrites) set({ asksBeforeWrites });
    });
    void driver.use((loaded) => loaded.reopen());
    return {
      ...startState,
      asksBeforeWrites: project.getState().agent.approvals === "writes",
      ...runActions(core, driver, get, set),
      ...looks(core, driver, get),
      setView: (view) => set({ view }),
      setAsksForModel: (asksForModel) => set({ asksForModel }),
      showRequest: (shownRequest) => set({ shownRequest }),
      toggle(id) {
        const openIds = new Set(get().openIds);
        if (!openIds.delete(id)) openIds.add(id);
        set({ openIds });
        driver.now()?.refold();
      },
      rename: records.rename,
      async remove(...sessionIds) {
        for (const id of sessionIds) await driver.now()?.close(id);
        const [only = ""] = sessionIds;
        await records.remove(sessionIds, sessionIds.length > 1 ? undefined : () => get().exportSession(only, "zip"));
      },
      async exportSession(sessionId, format) {
        await driver.now()?.durable(sessionId);
        const { exportedSession } = await import("./sessionFiles");
        return exportedSession(core, sessionId, format);
      },
      importSessions: async (source, offer) => (await loadedImports()).start(source, offer),
      importSession: ({ name, contents }) => get().importSessions({ name, files: [{ path: name, blob: contents }] }),
      async importLink(fragment) {
        const source = await (await import("./sessionLink")).sessionFromLink(fragment);
        if (source !== undefined) return await get().importSessions(source);
        core.notices.getState().push({ tone: "bad", text: "The session in the link cannot be read." });
        return undefined;
      },
      cancelImport: (importId) => void imports?.then((loaded) => loaded.cancel(importId)),
      async dispose() {
        stopWatching();
        stopFollowing();
        await (await imports)?.dispose();
        await driver.dispose();
        await records.dispose();
      },
    };
  });
}

const startState = {
  ...noSession,
  sessions: [],
  imports: [],
  view: "chat",
  asksForModel: false,
} as const satisfies Partial<SessionStoreState>;

interface DriverOnDemand {
  /** The driver once it is loaded; before that no session is shown and none runs. */
  readonly now: () => SessionDriver | undefined;
  readonly use: (act: (driver: SessionDriver) => Promise<void>) => Promise<void>;
  readonly dispose: () => Promise<void>;
}

/** The driver with the fold and what it needs: asked for at once, so that the page shows without waiting for it. */
function driverOnDemand(needs: DriverNeeds): DriverOnDemand {
  let driver: SessionDriver | undefined;
  let isDisposed = false;
  const loading = import("./sessionDriver").then((module) => (driver ??= new module.SessionDriver(needs)));
  return {
    now: () => driver,
    async use(act) {
      try {
        const loaded = await loading;
        if (!isDisposed) await act(loaded);
      } catch (error) {
        needs.core.notices.getState().push({ tone: "bad", text: `Sessions do not work: ${messageFromError(error)}` });
      }
    },
    async dispose() {
      isDisposed = true;
      await driver?.dispose();
    },
  };
}

type Get = () => SessionStoreState;
type Set = (patch: Partial<SessionStoreState>) => void;

function runActions({ project }: WorkbenchCore, driver: DriverOnDemand, get: Get, set: Set) {
  return {
    send: (message) => driver.use((loaded) => loaded.send(message)),
    stop: () => driver.now()?.stop(),
    answer: (callId, answer) => driver.use((loaded) => loaded.answer(callId, answer)),
    open: (sessionId) => driver.use((loaded) => loaded.open(sessionId)),
    startNew: () => driver.now()?.startNew(),
    takeFork: (fork) => driver.use((loaded) => loaded.takeFork(fork)),
    sendAgain: (turnId, message) => driver.use((loaded) => loaded.sendAgain(turnId, message)),
    setAsksBeforeWrites: (asks) => project.getState().changeAgent({ approvals: asks ? "writes" : "never" }),
    setDryRun(dryRun) {
      if (get().currentId === undefined) set({ dryRun });
    },
    async setAsOf(asOf) {
      const problem = asOf === undefined ? undefined : (await import("./asOfProblem")).asOfProblem(asOf);
      if (problem === undefined && get().currentId === undefined) set({ asOf });
      return problem;
    },
  } satisfies Partial<SessionStoreState>;
}

function looks({ storage, mounts }: WorkbenchCore, driver: DriverOnDemand, get: Get) {
  return {
    events: () => driver.now()?.events() ?? [],
    firstEvent: () => 0,
    ...sessionLookReaders({
      blobs: storage.blobs,
      session: () => get().session,
      tree: () => mounts.getState().snapshot,
    }),
    async approvalDifference(callId, input) {
      const item = get().session.items.get(callId);
      if (item?.kind !== "call") return undefined;
      const { waitingDifference } = await import("./sessionLooks");
      const tree = (await driver.now()?.ownTree()) ?? (await mounts.getState().currentSnapshot());
      return waitingDifference(item.toolName, input ?? item.input ?? {}, tree);
    },
  } satisfies Partial<SessionStoreState>;
}
