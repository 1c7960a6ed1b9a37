import { limits } from "../base";
import type { SessionRecord } from "../storage";
import { messageFromError } from "./messageFromError";
import type { SessionStoreState } from "./sessionStoreState";
import type { WorkbenchCore } from "./workbenchCore";

/** Characters of a session's name made from its first message. */
const NAME_CHARACTERS = 80;

/** The list of the project's sessions. */
export interface SessionRecords {
  /** Reads the list anew. Never throws: a list that cannot be read stays as it is. */
  readonly refresh: () => Promise<void>;
  readonly rename: (sessionId: string, name: string) => Promise<void>;
  /** Takes a session off the list and deletes it when the offer to undo is gone. */
  readonly remove: (sessionId: string) => Promise<void>;
  /** Deletes what was removed; it can no longer be undone. */
  readonly dispose: () => Promise<void>;
}

export function sessionRecords(
  core: WorkbenchCore,
  show: (patch: Pick<SessionStoreState, "sessions">) => void,
): SessionRecords {
  const { storage, notices } = core;
  const removing = new Map<string, ReturnType<typeof setTimeout>>();
  const report = (what: string, error: unknown) =>
    void notices.getState().push({ tone: "bad", text: `${what}: ${messageFromError(error)}` });

  const refresh = async () => {
    try {
      const sessions = await storage.sessions();
      show({ sessions: sessions.filter((record) => !removing.has(record.id)) });
    } catch (error) {
      report("The list of sessions cannot be read", error);
    }
  };
  const deleteNow = (sessionId: string) => {
    clearTimeout(removing.get(sessionId));
    return storage
      .deleteSession(sessionId)
      .catch((error: unknown) => report("The session was not deleted", error))
      .finally(() => removing.delete(sessionId));
  };
  return {
    refresh,
    async rename(sessionId, name) {
      try {
        await storage.updateSession(sessionId, { name });
      } catch (error) {
        report("The session keeps its name", error);
      }
      await refresh();
    },
    async remove(sessionId) {
      removing.set(
        sessionId,
        setTimeout(() => void deleteNow(sessionId), limits.undoMs),
      );
      await refresh();
      const undo = () => {
        clearTimeout(removing.get(sessionId));
        removing.delete(sessionId);
        void refresh();
      };
      notices.getState().push({
        tone: "info",
        text: "Session deleted",
        timeoutMs: limits.undoMs,
        action: { label: "Undo", run: undo },
      });
    },
    async dispose() {
      await Promise.all([...removing.keys()].map(deleteNow));
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
