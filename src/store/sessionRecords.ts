import { limits } from "../base";
import type { SessionRecord } from "../storage";
import { messageFromError } from "./messageFromError";
import type { Notice } from "./noticeStore";
import { offerBack } from "./offerBack";
import type { SessionStoreState } from "./sessionStoreState";
import type { WorkbenchCore } from "./workbenchCore";

/** Characters of a session's name made from its first message. */
const NAME_CHARACTERS = 80;

/** The list of the project's sessions. */
export interface SessionRecords {
  /** Reads the list anew. Never throws: a list that cannot be read stays as it is. */
  readonly refresh: () => Promise<void>;
  /** Told that sessions changed: reads the list, now and then only while an import writes one session after another. */
  readonly changed: () => void;
  readonly rename: (sessionId: string, name: string) => Promise<void>;
  /** Takes sessions off the list and deletes them when the offer to undo, or to have it as a file, is gone. */
  readonly remove: (sessionIds: readonly string[], file: Notice["file"]) => Promise<void>;
  /** Keeps a session off the list that is not all there yet. */
  readonly hide: (sessionId: string) => void;
  readonly unhide: (sessionIds: readonly string[]) => void;
  /** Deletes what was removed; it can no longer be undone. */
  readonly dispose: () => Promise<void>;
}

export function sessionRecords(
  core: WorkbenchCore,
  show: (patch: Pick<SessionStoreState, "sessions">) => void,
): SessionRecords {
  const { storage, notices } = core;
  const removing = new Set<string>();
  const hidden = new Set<string>();
  const report = (what: string, error: unknown) =>
    void notices.getState().push({ tone: "bad", text: `${what}: ${messageFromError(error)}` });

  const read = async () => {
    try {
      const sessions = await storage.sessions();
      show({ sessions: sessions.filter(({ id }) => !removing.has(id) && !hidden.has(id)) });
    } catch (error) {
      report("The list of sessions cannot be read", error);
    }
  };
  let reading: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  // One reading at a time: whoever asks meanwhile is told by the one after it.
  const refresh = (): Promise<void> => {
    if (reading === undefined) return (reading = read().finally(() => (reading = undefined)));
    return (next ??= reading.then(() => {
      next = undefined;
      return refresh();
    }));
  };
  let soon: ReturnType<typeof setTimeout> | undefined;
  const changed = () => {
    if (hidden.size === 0) {
      void refresh();
      return;
    }
    soon ??= setTimeout(() => {
      soon = undefined;
      void refresh();
    }, limits.importListMs);
  };
  const deleteNow = async (sessionIds: readonly string[]) => {
    for (let from = 0; from < sessionIds.length; from += limits.sessionsAtOnce) {
      const ids = sessionIds.slice(from, from + limits.sessionsAtOnce);
      const text = ids.length === 1 ? "The session was not deleted" : `${ids.length} sessions were not deleted`;
      await storage.deleteSessions(ids).catch((error: unknown) => report(text, error));
      for (const id of ids) removing.delete(id);
    }
  };
  return {
    refresh,
    changed,
    async rename(sessionId, name) {
      try {
        await storage.updateSession(sessionId, { name });
      } catch (error) {
        report("The session keeps its name", error);
      }
      await refresh();
    },
    async remove(sessionIds, file) {
      for (const id of sessionIds) removing.add(id);
      await refresh();
      const undo = () => {
        for (const id of sessionIds) removing.delete(id);
        void refresh();
      };
      // They may have been deleted with the project's being left.
      const end = () => deleteNow(sessionIds.filter((id) => removing.has(id)));
      const text = sessionIds.length === 1 ? "Session deleted" : `${sessionIds.length} sessions deleted`;
      offerBack(notices, { text, undo, end: () => void end(), ...(file === undefined ? {} : { file }) });
    },
    hide: (sessionId) => void hidden.add(sessionId),
    unhide(sessionIds) {
      for (const id of sessionIds) hidden.delete(id);
    },
    async dispose() {
      clearTimeout(soon);
      await deleteNow([...removing]);
    },
  };
}

/** The record of a session that begins now, named by its first message. */
export function newSessionRecord(sessionId: string, message: string, now: number): Omit<SessionRecord, "eventCount"> {
  const firstLine = message.trim().split("\n", 1)[0] ?? "";
  const name =
    firstLine.length > NAME_CHARACTERS
      ? `${firstLine.slice(0, NAME_CHARACTERS - 1).replace(/[\uD800-\uDBFF]$/, "")}…`
      : firstLine;
  return { id: sessionId, name, createdAt: now, updatedAt: now, status: "new", preview: firstLine, origin: "live" };
}
