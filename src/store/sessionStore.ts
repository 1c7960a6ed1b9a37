import { createStore } from "zustand/vanilla";
import { initialSessionState } from "../session";
import { SessionDriver } from "./sessionDriver";
import { sessionLookReaders } from "./sessionLook";
import { sessionRecords } from "./sessionRecords";
import type { SessionStore, SessionStoreState } from "./sessionStoreState";
import type { WorkbenchCore } from "./workbenchCore";

/** The sessions of a project: the one that is shown, the list of them, and the driver of their turns. */
export function createSessionStore(core: WorkbenchCore): SessionStore {
  const { storage, project } = core;
  return createStore<SessionStoreState>()((set, get) => {
    const records = sessionRecords(core, set);
    const driver = new SessionDriver({ core, records, get, set });
    const stopWatching = storage.subscribe((change) => {
      if (change.kind === "sessions") void records.refresh();
      if (change.kind === "log") driver.logChanged(change.sessionId);
    });
    const stopFollowing = project.subscribe((state) => {
      const asksBeforeWrites = state.agent.approvals === "writes";
      if (asksBeforeWrites !== get().asksBeforeWrites) set({ asksBeforeWrites });
    });
    void driver.reopen();
    return {
      ...startState,
      asksBeforeWrites: project.getState().agent.approvals === "writes",
      ...runActions(core, driver, get, set),
      ...looks(core, driver, get),
      setView: (view) => set({ view }),
      showRequest: (shownRequest) => set({ shownRequest }),
      toggle(id) {
        const openIds = new Set(get().openIds);
        if (!openIds.delete(id)) openIds.add(id);
        set({ openIds });
        driver.refold();
      },
      rename: records.rename,
      async remove(sessionId) {
        await driver.close(sessionId);
        await records.remove(sessionId);
      },
      async exportSession(sessionId, format) {
        await driver.durable(sessionId);
        const { exportedSession } = await import("./sessionFiles");
        return exportedSession(core, sessionId, format);
      },
      async importSession(file) {
        const { importedSession } = await import("./sessionFiles");
        const sessionId = await importedSession(core, file);
        await records.refresh();
        return sessionId;
      },
      async dispose() {
        stopWatching();
        stopFollowing();
        await driver.dispose();
        await records.dispose();
      },
    };
  });
}

const startState = {
  sessions: [],
  currentId: undefined,
  session: initialSessionState,
  rows: [],
  loading: undefined,
  runner: "nobody",
  stopping: false,
  alwaysAllowed: new Set<string>(),
  dryRun: false,
  view: "chat",
  openIds: new Set<string>(),
  shownRequest: undefined,
} as const satisfies Partial<SessionStoreState>;

type Get = () => SessionStoreState;
type Set = (patch: Partial<SessionStoreState>) => void;

function runActions({ project }: WorkbenchCore, driver: SessionDriver, get: Get, set: Set) {
  return {
    send: (message) => driver.send(message),
    stop: () => driver.stop(),
    answer: (callId, answer) => driver.answer(callId, answer),
    open: (sessionId) => driver.open(sessionId),
    startNew: () => driver.startNew(),
    sendAgain: (turnId, message) => driver.sendAgain(turnId, message),
    setAsksBeforeWrites: (asks) => project.getState().changeAgent({ approvals: asks ? "writes" : "never" }),
    setDryRun(dryRun) {
      if (get().currentId === undefined) set({ dryRun });
    },
  } satisfies Partial<SessionStoreState>;
}

function looks({ storage, mounts }: WorkbenchCore, driver: SessionDriver, get: Get) {
  return {
    events: () => driver.events(),
    ...sessionLookReaders({
      blobs: storage.blobs,
      session: () => get().session,
      tree: () => mounts.getState().snapshot,
    }),
    async approvalDifference(callId, input) {
      const item = get().session.items.get(callId);
      if (item?.kind !== "call") return undefined;
      const { waitingDifference } = await import("./sessionLooks");
      return waitingDifference(item.toolName, input ?? item.input ?? {}, await mounts.getState().currentSnapshot());
    },
  } satisfies Partial<SessionStoreState>;
}
