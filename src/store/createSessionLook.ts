import { createStore, type StoreApi } from "zustand/vanilla";
import { SnapshotTree } from "../fs";
import { initialSessionState, type SessionEvent, type SessionState } from "../session";
import type { ProjectStore } from "../storage";
import { sessionLookReaders, type SessionLook } from "./sessionLook";
import { chatRows, sameRows } from "./sessionRows";

/** A session that is only looked at: what is shown of it is put in from outside. */
export interface OwnedSessionLook {
  readonly store: StoreApi<SessionLook>;
  /** Shows a state of a session whose log is `events`; of another session with nothing opened. */
  show(shown: ShownSession): void;
}

export interface ShownSession {
  readonly session: SessionState;
  /** By their index in the log; of a long one those before `from` are not there. */
  readonly events: readonly SessionEvent[];
  readonly from?: number;
  readonly tree: SnapshotTree;
  /** What tells sessions apart where the events of one come in stretches; the events themselves when absent. */
  readonly log?: object;
}

const nothing: ShownSession = { session: initialSessionState, events: [], tree: SnapshotTree.empty };

export function createSessionLook(blobs: ProjectStore["blobs"]): OwnedSessionLook {
  let shown = nothing;
  const store = createStore<SessionLook>()((set, get) => ({
    session: initialSessionState,
    rows: [],
    openIds: new Set(),
    shownRequest: undefined,
    toggle(id) {
      const openIds = new Set(get().openIds);
      if (!openIds.delete(id)) openIds.add(id);
      set({ openIds, rows: sameRows(get().rows, chatRows(get().session, openIds)) });
    },
    showRequest: (shownRequest) => set({ shownRequest }),
    events: () => shown.events,
    firstEvent: () => shown.from ?? 0,
    ...sessionLookReaders({ blobs, session: () => get().session, tree: () => shown.tree }),
  }));
  return {
    store,
    show(next) {
      const isOther = (next.log ?? next.events) !== (shown.log ?? shown.events);
      shown = next;
      const { rows, openIds: openBefore, session } = store.getState();
      if (!isOther && session === next.session) return;
      const openIds = isOther ? new Set<string>() : openBefore;
      store.setState({
        session: next.session,
        rows: sameRows(isOther ? [] : rows, chatRows(next.session, openIds)),
        ...(isOther ? { openIds, shownRequest: undefined } : {}),
      });
    },
  };
}
