import type { StoreApi } from "zustand/vanilla";
import type { SnapshotTree } from "../fs";
import type { SessionEvent, SessionState } from "../session";
import type { ProjectStore } from "../storage";
import type { FileDifference } from "./sessionDifference";
import type { StepRequest } from "./sessionRequest";
import type { ChatRow } from "./sessionRows";

/** What the views of a session read and may do without changing it: a live, a compared and a replayed one look the same. */
export interface SessionLook {
  /** Everything shown of the session: folded from its log, published at most once a frame. */
  readonly session: SessionState;
  /** The chat's lines, the same array until one comes, goes or folds. */
  readonly rows: readonly ChatRow[];
  /** Rows, groups and raw lines the person opened. */
  readonly openIds: ReadonlySet<string>;
  /** The step whose request is shown, by id. */
  readonly shownRequest: string | undefined;

  readonly toggle: (id: string) => void;
  readonly showRequest: (stepId: string | undefined) => void;
  /** The session's events; those past `session.eventCount` have not happened yet. */
  readonly events: () => readonly SessionEvent[];
  /** Index of the first of them that is here: 0 but in a long session of which a stretch is shown. */
  readonly firstEvent: () => number;
  /** The exact request of a step; absent when it was not kept. */
  readonly stepRequest: (stepId: string) => Promise<StepRequest | undefined>;
  /** What a finished call changed, file by file. */
  /** Of the first files it changed: a command may change thousands. */
  readonly callDifferences: (callId: string) => Promise<readonly FileDifference[]>;
  /** What the model read of a call's result. */
  readonly callOutputText: (callId: string) => Promise<string>;
  /** A `data:` address for an image of the tree by its path; absent when `path` names none. */
  readonly imageFromTree: (path: string) => Promise<string | undefined>;
  /** The same for an image of a message or a result, by its hash; absent when it was not kept. */
  readonly imageFromBlob: (hash: string) => Promise<string | undefined>;
}

/** A store the views may read and follow, whatever else it holds. */
export type SessionLookStore = Pick<StoreApi<SessionLook>, "getState" | "getInitialState" | "subscribe">;

export interface SessionLookNeeds {
  readonly blobs: ProjectStore["blobs"];
  readonly session: () => SessionState;
  /** The tree as it is where the session is looked at. */
  readonly tree: () => SnapshotTree;
}

/** What opened rows need is loaded with the first of them. */
const looksOnDemand = () => import("./sessionLooks");

/** What a look reads on demand. */
export function sessionLookReaders({ blobs, session, tree }: SessionLookNeeds) {
  const call = (callId: string) => {
    const item = session().items.get(callId);
    return item?.kind === "call" ? item : undefined;
  };
  return {
    stepRequest: async (stepId) => (await import("./sessionRequest")).sessionRequest(session(), stepId, blobs),
    callDifferences: async (callId) => (await looksOnDemand()).changedFiles(call(callId)?.changes ?? [], blobs),
    async callOutputText(callId) {
      const item = call(callId);
      return item === undefined ? "" : (await looksOnDemand()).callOutputText(item);
    },
    imageFromBlob: async (hash) => (await looksOnDemand()).blobImageAddress(blobs, hash),
    imageFromTree: async (path) => (await looksOnDemand()).treeImageAddress(tree(), path),
  } satisfies Partial<SessionLook>;
}
